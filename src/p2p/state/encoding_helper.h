// A second thread for the chunks of one message, on a core that nobody else needs.
//
// It encodes and decodes, and does nothing else: no MPI, no memory of its own. A call that has
// several chunks to work on at once forks here and joins before it goes on.
#pragma once

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "os/idle_core.h"
#include "os/thread_pool.h"

namespace tightwire::p2p {

// Thread safe: while one call has the helper, others do without.
class EncodingHelper {
 public:
  // Items 0 to `count` - 1, each in one of `window` places: item k in place k % window.
  struct Items {
    std::size_t count = 0;
    std::size_t window = 1;
    // On either thread, two at a time; must not throw.
    std::function<void(std::size_t item)> work;
    // On the calling thread, in order, each when it has been done; its place is free after that.
    // What it throws leaves run(), once nobody is at work any more.
    std::function<void(std::size_t item)> deliver;
  };
  // Returns when all is delivered; how many items the helper did. With one place the caller does
  // it all. `forced`: the helper runs on any core of the caller's mask, if there are two at least;
  // otherwise on a spare one.
  std::size_t run(const Items& items, bool forced);

  // Whether the helper might come, so that several places are of use.
  [[nodiscard]] bool promising() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Run;

  static void work_as_caller(Run& run);
  static void work_as_helper(Run& run);

  // For the helper: whether it stands on a core that it may use.
  [[nodiscard]] bool on_core(const cpu_set_t& mask_of_caller, bool forced);
  void rest();

  std::atomic<Clock::rep> rests_until_{0};
  os::ThreadPool pool_{2};
  // The helper's own.
  std::optional<os::IdleCore> core_;
  cpu_set_t mask_{};  // of the last caller
  bool forced_ = false;
};

}  // namespace tightwire::p2p
