// Collectives that GPUs may carry out, by the way of the host: how long they take, which is what
// the others are judged by.
#pragma once

#include <chrono>

#include "collective/plan/usable_communicator.h"
#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "policy/device/call_memory.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// Calls of one operation and size are alike; types are mostly the same.
[[nodiscard]] inline policy::DeviceTrials::Kind kind_on_devices(policy::Operation operation,
                                                                std::size_t bytes) {
  return {static_cast<int>(operation), 0, codec::ElementType::bytes, bytes};
}

// Whether what such calls took counts: where times decide, and every run need not be the same.
[[nodiscard]] inline bool goes_by_times(const mpi::Communicator& communicator,
                                        settings::Mode mode) {
  return mpi::is_adaptive(communicator, mode) && !runtime::is_deterministic();
}

// A call that devices have carried out since `start`, and what this rank's values came to, if it
// has sent any.
void note_device_way(mpi::Communicator& communicator, const policy::DeviceTrials::Kind& kind,
                     std::chrono::steady_clock::time_point start, const Traffic& traffic);

// Lives as long as such a call goes that way, where its job has calls that do not.
class ScopedHostWay {
 public:
  ScopedHostWay(const CalledOn& on, policy::Operation operation, std::size_t bytes)
      : on_(on), operation_(operation), bytes_(bytes), counts_(may_be_on_devices(on)) {
    if (counts_) begin_ = std::chrono::steady_clock::now();
  }
  ~ScopedHostWay() {
    if (counts_) note();
  }
  ScopedHostWay(const ScopedHostWay&) = delete;
  ScopedHostWay& operator=(const ScopedHostWay&) = delete;

 private:
  void note() const noexcept;

  const CalledOn& on_;
  policy::Operation operation_;
  std::size_t bytes_;
  bool counts_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace tightwire::collective
