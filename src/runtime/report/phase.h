// The parts of a call's time that go into the codec: for the report, and for the timeline.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "timeline/events.h"

namespace tightwire::runtime {

enum class Phase : std::uint8_t {
  encode,
  combine,  // a frame and values, or two frames, become one: decode, add and encode in one pass
  decode,
};
inline constexpr std::size_t phase_count = 3;

// Seconds of each phase.
struct Split {
  std::array<double, phase_count> seconds{};

  [[nodiscard]] double of(Phase phase) const { return seconds[static_cast<std::size_t>(phase)]; }
  [[nodiscard]] double sum() const { return seconds[0] + seconds[1] + seconds[2]; }
  void add(const Split& other) {
    for (std::size_t i = 0; i < phase_count; ++i) seconds[i] += other.seconds[i];
  }
};

// While it lives the calling thread's phases count as parts of `split`. They nest: a call that goes
// on in the background is moved on while another waits.
class SplitOfThread {
 public:
  explicit SplitOfThread(Split& split);
  ~SplitOfThread();
  SplitOfThread(const SplitOfThread&) = delete;
  SplitOfThread& operator=(const SplitOfThread&) = delete;

 private:
  Split* before_;
};

// A phase as long as its own life. `bytes`: of the values.
class ScopedPhase {
 public:
  ScopedPhase(Phase phase, std::size_t bytes);
  ~ScopedPhase();
  ScopedPhase(const ScopedPhase&) = delete;
  ScopedPhase& operator=(const ScopedPhase&) = delete;

 private:
  timeline::Span span_;
  Phase phase_;
  std::chrono::steady_clock::duration outside_before_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// While it lives time counts for none of the calling thread's ScopedPhases: a codec's work is
// interrupted by calls of MPI, whose time is theirs.
class OutsideOfPhases {
 public:
  OutsideOfPhases();
  ~OutsideOfPhases();
  OutsideOfPhases(const OutsideOfPhases&) = delete;
  OutsideOfPhases& operator=(const OutsideOfPhases&) = delete;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration before_;
};

// A phase of a message between two ranks: on whatever thread, and told to the statistics of all
// messages. Not for combine.
class MessagePhase {
 public:
  MessagePhase(Phase phase, std::size_t bytes);
  ~MessagePhase();
  MessagePhase(const MessagePhase&) = delete;
  MessagePhase& operator=(const MessagePhase&) = delete;

  [[nodiscard]] double seconds() const;

 private:
  timeline::Span span_;
  Phase phase_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace tightwire::runtime
