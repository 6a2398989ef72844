// What an audit costs the program, measured as it goes, and kept small.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "audit/profile.h"

namespace tightwire::audit {

// Thread safe where it says so; else with the audit's lock held.
class Cost {
 public:
  using Clock = std::chrono::steady_clock;

  void start(Clock::time_point now = Clock::now()) { start_ = now; }

  // How many calls the next one stands for; 0: it is not counted. Thread safe.
  [[nodiscard]] std::uint64_t weight_of_next_call();

  // What was never sampled goes before what was: half of the time is kept for that.
  [[nodiscard]] bool affords_sample(std::size_t bytes, bool is_first = false) const;
  void count_sample(std::size_t bytes, Clock::duration time);
  // Of what is kept for a later sample.
  void count_copy(Clock::duration time);

  // `before`: from the program's call to MPI's, samples included. Of one that takes much longer
  // than counting can, the rank did not have its core: that is no cost of the audit's.
  void count_call(Clock::duration before, double mpi_seconds);

  void add_to(Profile& profile) const;

 private:
  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  Clock::time_point start_{};
  double counting_seconds_ = 0;  // samples left out
  double mpi_seconds_ = 0;
  double sample_bytes_ = 0;
  double sample_seconds_ = 0;
  double copy_seconds_ = 0;
  double samples_of_call_ = 0;  // seconds of the present one
  std::atomic<std::uint64_t> weight_{1};
};

}  // namespace tightwire::audit
