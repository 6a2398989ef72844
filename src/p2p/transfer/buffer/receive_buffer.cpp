#include "p2p/transfer/buffer/receive_buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "mpi/datatype/datatype_cache.h"
#include "mpi/datatype/pack.h"
#include "mpi/device/device_copy.h"
#include "mpi/error.h"
#include "p2p/state/frame_rules.h"
#include "p2p/state/message_pool.h"

namespace tightwire::p2p {

ReceiveBuffer::ReceiveBuffer(const mpi::Buffer& buffer, Type type)
    : buffer_(buffer),
      predefined_(mpi::predefined(buffer.datatype).has_value()),
      item_(signature_bytes(buffer.datatype, 1)),
      size_(item_ * static_cast<std::size_t>(std::max<std::ptrdiff_t>(buffer.count, 0))) {
  // Of a frame the processor would have to put the values there.
  const bool framed = size_ >= frame_rules().shortest_frame;
  on_device_ =
      predefined_ && framed && mpi::memory_space_of(buffer.address) == mpi::MemorySpace::device;
  if (predefined_ && !on_device_) {
    contiguous_.emplace(static_cast<std::byte*>(buffer.address), size_);
  } else if (framed && !on_device_) {
    static_cast<void>(buffer.host());
    layout_ = mpi::layout_of(buffer);
    if (layout_) contiguous_ = mpi::contiguous_memory_of(*layout_, buffer);
  }
  // MPI complains of a type that is none, or not committed, where it is handed the receive.
  own_type_ = !predefined_ && type == Type::kept && buffer.datatype != MPI_DATATYPE_NULL &&
              mpi::is_committed(buffer.datatype);
  if (own_type_) make_own_type();
}

// One item of the type, not a duplicate: that would run the program's attribute copy functions.
void ReceiveBuffer::make_own_type() {
  mpi::check(PMPI_Type_contiguous(1, buffer_.datatype, &buffer_.datatype));
  mpi::check(PMPI_Type_commit(&buffer_.datatype));
}

ReceiveBuffer::~ReceiveBuffer() {
  if (own_type_) PMPI_Type_free(&buffer_.datatype);
}

ReceiveBuffer::ReceiveBuffer(ReceiveBuffer&& other) noexcept
    : buffer_(other.buffer_),
      predefined_(other.predefined_),
      on_device_(other.on_device_),
      layout_(std::move(other.layout_)),
      contiguous_(other.contiguous_),
      own_type_(std::exchange(other.own_type_, false)),
      item_(other.item_),
      size_(other.size_) {}

std::span<const std::byte> ReceiveBuffer::reach() const {
  if (contiguous_) return *contiguous_;
  if (size_ == 0) return {};
  MPI_Count lowest = 0;
  MPI_Count true_extent = 0;
  MPI_Count lower = 0;
  MPI_Count extent = 0;
  mpi::check(PMPI_Type_get_true_extent_x(buffer_.datatype, &lowest, &true_extent));
  mpi::check(PMPI_Type_get_extent_x(buffer_.datatype, &lower, &extent));
  const auto last = static_cast<MPI_Count>(buffer_.count - 1) * extent;
  const MPI_Count begin = lowest + std::min<MPI_Count>(last, 0);
  const MPI_Count end = lowest + true_extent + std::max<MPI_Count>(last, 0);
  const auto address = reinterpret_cast<std::uintptr_t>(buffer_.address);
  // It may count from MPI_BOTTOM. NOLINTNEXTLINE(performance-no-int-to-ptr)
  return {reinterpret_cast<const std::byte*>(address + static_cast<std::uintptr_t>(begin)),
          static_cast<std::size_t>(end - begin)};
}

void ReceiveBuffer::write(std::span<const std::byte> bytes) const {
  if (bytes.empty()) return;
  if (on_device_) return mpi::copy_to_device(buffer_.address, bytes);
  static_cast<void>(buffer_.host());
  if (by_parts()) return write_part(0, bytes);
  const std::size_t items = bytes.size() / item_;
  if (items > 0) {
    mpi::unpack(bytes.first(items * item_),
                {buffer_.address, static_cast<int>(items), buffer_.datatype});
  }
  if (items * item_ < bytes.size()) write_part_of_item(items, bytes.subspan(items * item_));
}

void ReceiveBuffer::write_part(std::size_t begin, std::span<const std::byte> bytes) const {
  if (contiguous_) {
    std::memcpy(contiguous_->data() + begin, bytes.data(), bytes.size());
  } else {
    layout_->unpack(bytes, begin, buffer_.host());
  }
}

// A message may end within an item: the item's other values keep what they had.
void ReceiveBuffer::write_part_of_item(std::size_t item, std::span<const std::byte> bytes) const {
  const mpi::Buffer last = buffer_.at(static_cast<std::ptrdiff_t>(item), 1);
  const mpi::BufferPool::Lease whole = message_pool().insist(item_);
  pack(last, whole.bytes());
  std::copy(bytes.begin(), bytes.end(), whole.bytes().begin());
  mpi::unpack(whole.bytes(), last);
}

}  // namespace tightwire::p2p
