// The values of a message to send: where they are contiguous in the program's memory, there;
// elsewhere packed, and that as late and as little at a time as can be.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "codec/estimate/memory.h"
#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/datatype/strided_layout.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/pieces.h"

namespace tightwire::p2p {

// The program's datatype is not needed after the constructor. All may throw MpiError,
// std::bad_alloc, but what is said not to.
class SendBuffer {
 public:
  explicit SendBuffer(const mpi::Buffer& user);
  // These are contiguous already.
  explicit SendBuffer(std::span<const std::byte> contiguous);

  [[nodiscard]] std::size_t size() const { return size_; }
  // They are the program's own memory.
  [[nodiscard]] bool in_place() const { return in_place_; }
  // A message of the same memory has the same name the next time.
  [[nodiscard]] const codec::EstimateMemory::Name& name() const { return name_; }

  // All as contiguous bytes, which are made if they are not.
  std::span<const std::byte> all();
  [[nodiscard]] bool is_contiguous() const { return !contiguous_.empty(); }
  // Of all() where is_contiguous(), what is here first, if some of it is still on its way.
  [[nodiscard]] std::span<const std::byte> first_here() const;
  [[nodiscard]] bool in_own_memory() const { return static_cast<bool>(packed_); }
  // The first and the last `size` bytes, of as many at least.
  template <std::size_t size>
  [[nodiscard]] std::array<std::byte, 2 * size> ends() const {
    std::array<std::byte, 2 * size> bytes{};
    copy(0, std::span(bytes).template first<size>());
    copy(size_ - size, std::span(bytes).template last<size>());
    return bytes;
  }

  // Room for one of so many byte_part()s; empty where chunk() needs none.
  [[nodiscard]] mpi::BufferPool::Lease room_for_chunk(std::size_t chunks) const;
  // Never throws, once any of them have been read and where has_chunk(); any number of threads at
  // once, each with room of its own.
  [[nodiscard]] std::span<const std::byte> chunk(std::size_t chunks, std::size_t index,
                                                 const mpi::BufferPool::Lease& room) const;
  // Waits until it is here; false where it could not be copied from a device, and check() throws.
  // Never throws.
  [[nodiscard]] bool has_chunk(std::size_t chunks, std::size_t index) const;
  void check() const;

  // Where they lie, if that is on a device which may encode them, and they have not been read;
  // else nullptr.
  [[nodiscard]] mpi::CodedBuffer* on_device() const {
    return coded_ != nullptr && coded_->is_left() ? coded_.get() : nullptr;
  }
  // A device has encoded them to its pinned memory.
  [[nodiscard]] std::span<std::byte> pinned() const { return coded_->pinned(); }

  // Gives back memory: they are not needed any more.
  void release();

 private:
  void take_contiguous(std::span<const std::byte> contiguous);
  void copy(std::size_t begin, std::span<std::byte> bytes) const;

  // They are here, if they lie on a device, or `part` is, of what is contiguous.
  void settle() const;
  void settle(std::span<const std::byte> part) const;

  std::size_t size_;
  const void* address_;
  std::shared_ptr<mpi::CodedBuffer> coded_;
  std::shared_ptr<mpi::Pieces> pieces_;       // if they come in some
  std::optional<mpi::StridedLayout> layout_;  // if they are to be packed, and not by MPI
  bool in_place_ = true;
  codec::EstimateMemory::Name name_;
  mpi::BufferPool::Lease packed_;
  std::span<const std::byte> contiguous_;  // once they are known
};

// Whether the message would be taken for a frame, were it passed through unmodified.
[[nodiscard]] bool looks_framed(const SendBuffer& values);

}  // namespace tightwire::p2p
