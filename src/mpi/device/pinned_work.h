// What a device does with pinned memory for a buffer, where its processor can do it as well.
#pragma once

#include <cstddef>
#include <new>
#include <span>

#include "mpi/device/coded_buffer.h"
#include "mpi/device/pinned_pool.h"

namespace tightwire::mpi {

// Runs `work` with `room` bytes of pinned memory; false where the device cannot do it, which is
// said but for what is no fault of its: damaged streams, and values that no grid holds. Thread
// safe; nothing is thrown.
template <class Work>
[[nodiscard]] bool done_on_device(const CodedBuffer& buffer, std::size_t room, Work work) {
  try {
    const PinnedPool::Lease lease = pinned_pool().borrow(buffer.place(), room);
    if (!lease.is_pinned()) return false;
    work(std::span(lease.bytes(), room));
    return true;
  } catch (const coder::Error& error) {
    const bool is_fault =
        error.problem != coder::Problem::other_stream && error.problem != coder::Problem::too_fine;
    if (is_fault) buffer.tell_of(error);
  } catch (const std::bad_alloc&) {
    // The processor may have some.
  }
  return false;
}

}  // namespace tightwire::mpi
