#include "p2p/landing.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collective/failure.h"
#include "p2p/engine.h"
#include "p2p/packing.h"
#include "p2p/type_facts.h"

namespace tightwire::p2p {

using collective::check;

std::size_t signature_bytes(MPI_Datatype datatype, int count) {
  if (count <= 0 || datatype == MPI_DATATYPE_NULL) return 0;
  MPI_Count size = 0;
  if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size <= 0) return 0;
  return static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
}

Landing::Landing(const collective::UserBuffer& buffer, Type type)
    : buffer_(buffer),
      predefined_(collective::predefined(buffer.datatype).has_value()),
      item_(signature_bytes(buffer.datatype, 1)),
      size_(item_ * static_cast<std::size_t>(std::max<std::ptrdiff_t>(buffer.count, 0))) {
  if (predefined_) {
    row_.emplace(static_cast<std::byte*>(buffer.address), size_);
  } else if (size_ >= engine().threshold) {
    layout_ = layout_of(buffer);
    if (layout_) row_ = row_of(*layout_, buffer.address);
  }
  // MPI complains of a type that is none where it is handed the receive.
  own_type_ = !predefined_ && type == Type::kept && buffer.datatype != MPI_DATATYPE_NULL;
  if (own_type_) check(PMPI_Type_dup(buffer.datatype, &buffer_.datatype));
}

Landing::~Landing() {
  if (own_type_) PMPI_Type_free(&buffer_.datatype);
}

Landing::Landing(Landing&& other) noexcept
    : buffer_(other.buffer_),
      predefined_(other.predefined_),
      layout_(std::move(other.layout_)),
      row_(other.row_),
      own_type_(std::exchange(other.own_type_, false)),
      item_(other.item_),
      size_(other.size_) {}

void Landing::write(std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  if (by_parts()) return write_part(0, bytes);
  const std::size_t items = bytes.size() / item_;
  if (items > 0) {
    unpack(bytes.first(items * item_),
           {buffer_.address, static_cast<int>(items), buffer_.datatype});
  }
  if (items * item_ < bytes.size()) write_part_of_item(items, bytes.subspan(items * item_));
}

void Landing::write_part(std::size_t begin, std::span<const std::byte> bytes) const {
  if (row_) {
    std::memcpy(row_->data() + begin, bytes.data(), bytes.size());
  } else {
    layout_->unpack(bytes, begin, buffer_.address);
  }
}

// A message may end within an item: the item's other values keep what they had.
void Landing::write_part_of_item(std::size_t item, std::span<const std::byte> bytes) const {
  const collective::UserBuffer last = buffer_.at(static_cast<std::ptrdiff_t>(item), 1);
  const Pool::Lease whole = engine().pool.insist(item_);
  pack(last, whole.bytes());
  std::copy(bytes.begin(), bytes.end(), whole.bytes().begin());
  unpack(whole.bytes(), last);
}

}  // namespace tightwire::p2p
