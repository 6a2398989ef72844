#include "p2p/landing.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "collective/failure.h"
#include "p2p/engine.h"
#include "p2p/packing.h"

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
      contiguous_(collective::predefined(buffer.datatype).has_value()),
      item_(signature_bytes(buffer.datatype, 1)),
      size_(item_ * static_cast<std::size_t>(std::max<std::ptrdiff_t>(buffer.count, 0))) {
  // MPI complains of a type that is none where it is handed the receive.
  own_type_ = !contiguous_ && type == Type::kept && buffer.datatype != MPI_DATATYPE_NULL;
  if (own_type_) check(PMPI_Type_dup(buffer.datatype, &buffer_.datatype));
}

Landing::~Landing() {
  if (own_type_) PMPI_Type_free(&buffer_.datatype);
}

Landing::Landing(Landing&& other) noexcept
    : buffer_(other.buffer_),
      contiguous_(other.contiguous_),
      own_type_(std::exchange(other.own_type_, false)),
      item_(other.item_),
      size_(other.size_) {}

void Landing::write(std::span<const std::byte> bytes) const {
  if (contiguous_) {
    std::memcpy(buffer_.address, bytes.data(), bytes.size());
    return;
  }
  const std::size_t items = bytes.size() / item_;
  if (items > 0) {
    unpack(bytes.first(items * item_),
           {buffer_.address, static_cast<int>(items), buffer_.datatype});
  }
  if (items * item_ < bytes.size()) write_part_of_item(items, bytes.subspan(items * item_));
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
