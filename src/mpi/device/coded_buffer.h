// Buffers on a device that the device itself may encode from or decode into. What stands for one on
// the host is pinned memory: a frame is made there, or has come there, or the values are.
//
// The calls that use the buffer know the pinned memory alone, as their buffer: they find the other
// side by its address.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

#include "codec/codec.h"
#include "mpi/buffer.h"
#include "mpi/device/coder.h"
#include "mpi/device/driver.h"

namespace tightwire::mpi {

class CodedBuffer {
 public:
  // `call` uses it: "MPI_Send". `pinned` has room for the values, and for what a device makes of
  // them at worst. Both memories must stay as long as it is registered.
  CodedBuffer(const char* call, const driver::Place& place, std::byte* device, std::size_t bytes,
              std::span<std::byte> pinned)
      : call_(call), place_(place), device_(device), bytes_(bytes), pinned_(pinned) {}

  [[nodiscard]] std::size_t size() const { return bytes_; }
  [[nodiscard]] std::span<std::byte> pinned() const { return pinned_; }

  // A send begins: the values are not in pinned memory, and come there when somebody wants them.
  void leave_on_device() {
    failed_ = false;
    left_.store(true, std::memory_order_release);
  }
  [[nodiscard]] bool is_left() const { return left_.load(std::memory_order_acquire); }
  // Then they are there. Thread safe. Throws MpiError, with a line.
  void fetch();

  // A receive begins; it ends with the values on the device, unless they are in pinned memory.
  void await() {
    failed_ = false;
    decoded_ = false;
  }
  void set_decoded() { decoded_ = true; }
  [[nodiscard]] bool is_decoded() const { return decoded_; }

  // Whether values could not be copied: then they are not where they belong.
  [[nodiscard]] bool has_failed() const { return failed_.load(std::memory_order_relaxed); }

  // What the device would not do, as a line that names the call; each kind of problem once.
  void tell_of(const coder::Error& error) const;

  // The first values of the buffer, or all; what is not aligned to its type has none.
  [[nodiscard]] bool is_aligned_to(codec::ElementType type) const;
  [[nodiscard]] coder::Values values(codec::ElementType type, std::size_t bytes) const {
    return {place_, device_, bytes, type};
  }
  // Those that belong at `image`, a part of pinned().
  [[nodiscard]] coder::Values values_at(codec::ElementType type,
                                        std::span<const std::byte> image) const {
    return {place_, device_ + (image.data() - pinned_.data()), image.size(), type};
  }
  // Of a part of pinned(): from the device, or there. Throw MpiError, with a line.
  void fetch(std::span<const std::byte> image) const;
  void put(std::span<const std::byte> image) const;
  [[nodiscard]] const driver::Place& place() const { return place_; }

 private:
  // `copy` gets the copies of one call.
  template <class Copy>
  void copying(Copy copy) const;

  const char* call_;
  driver::Place place_;
  std::byte* device_;
  std::size_t bytes_;
  std::span<std::byte> pinned_;
  std::mutex mutex_;
  std::atomic<bool> left_{false};
  std::atomic<bool> decoded_{false};
  mutable std::atomic<bool> failed_{false};
};

// By the address of pinned memory, where a call gets that as its buffer; costs one relaxed load
// where there is none. Thread safe.
[[nodiscard]] std::shared_ptr<CodedBuffer> coded_buffer_at(const void* address);

// Brings the values of such a buffer that have been left on the device. Throws MpiError, with a
// line.
inline void fetch_coded(const Buffer& buffer) {
  if (const auto found = coded_buffer_at(buffer.address)) found->fetch();
}

// And waits for those that are on their way in pieces: before somebody reads them who does not know
// of that.
inline void fetch_left(const Buffer& buffer) {
  fetch_coded(buffer);
  if (const auto found = pieces_at(buffer.address)) found->wait_for_all();
}

// Keeps a buffer findable as long as it lives.
class CodedRegistration {
 public:
  CodedRegistration() = default;
  // Throws std::bad_alloc.
  explicit CodedRegistration(std::shared_ptr<CodedBuffer> buffer);
  ~CodedRegistration();
  CodedRegistration(CodedRegistration&& other) noexcept = default;
  CodedRegistration& operator=(CodedRegistration&& other) noexcept = delete;
  CodedRegistration(const CodedRegistration&) = delete;
  CodedRegistration& operator=(const CodedRegistration&) = delete;

  // nullptr if there is none.
  [[nodiscard]] CodedBuffer* get() const { return buffer_.get(); }

 private:
  std::shared_ptr<CodedBuffer> buffer_;
};

// Whether devices are to encode and decode here, and can; says once why they cannot.
[[nodiscard]] bool devices_code();

}  // namespace tightwire::mpi
