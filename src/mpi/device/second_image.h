// What a call sends that comes from where it receives: the buffer on a device has a second image,
// in which a frame is made, or to which the values come.
#pragma once

#include <memory>
#include <span>

#include "mpi/device/coded_buffer.h"
#include "mpi/device/pinned_pool.h"

namespace tightwire::mpi {

class SecondImage {
 public:
  // Of the buffer that has one at `image`, and its values on the device; else there is none.
  // `call` as of CodedBuffer. Throws std::bad_alloc; MpiError where there is no pinned memory, and
  // the values cannot be fetched.
  SecondImage(const char* call, const void* image) {
    const std::shared_ptr<CodedBuffer> first = coded_buffer_at(image);
    if (first == nullptr || !first->is_left()) return;
    const std::size_t room = first->pinned().size();
    memory_ = pinned_pool().borrow(first->place(), room);
    if (!memory_.is_pinned()) {
      first->fetch();
      return;
    }
    std::byte* const values = first->values(codec::ElementType::bytes, first->size()).address;
    coded_ = std::make_unique<CodedRegistration>(std::make_shared<CodedBuffer>(
        call, first->place(), values, first->size(), std::span(memory_.bytes(), room)));
    coded_->get()->leave_on_device();
  }

  // nullptr if there is none.
  [[nodiscard]] const void* address() const {
    return coded_ != nullptr ? memory_.bytes() : nullptr;
  }

 private:
  PinnedPool::Lease memory_;
  std::unique_ptr<CodedRegistration> coded_;  // while there is that memory
};

}  // namespace tightwire::mpi
