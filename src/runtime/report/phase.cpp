#include "runtime/report/phase.h"

#include <utility>

#include "runtime/runtime.h"

namespace tightwire::runtime {
namespace {

[[gnu::tls_model("initial-exec")]] thread_local Split* split_of_thread = nullptr;
// So far on this thread.
[[gnu::tls_model("initial-exec")]] thread_local std::chrono::steady_clock::duration outside{};

constexpr std::array<const char*, phase_count> phase_names{"encode", "combine", "decode"};

}  // namespace

SplitOfThread::SplitOfThread(Split& split) : before_(std::exchange(split_of_thread, &split)) {}

SplitOfThread::~SplitOfThread() {
  split_of_thread = before_;
}

ScopedPhase::ScopedPhase(Phase phase, std::size_t bytes)
    : span_(phase_names[static_cast<std::size_t>(phase)], timeline::Kind::codec, bytes),
      phase_(phase),
      outside_before_(outside) {}

ScopedPhase::~ScopedPhase() {
  if (split_of_thread == nullptr) return;
  const auto all = std::chrono::steady_clock::now() - begin_;
  const std::chrono::duration<double> time = all - (outside - outside_before_);
  split_of_thread->seconds[static_cast<std::size_t>(phase_)] += time.count();
}

OutsideOfPhases::OutsideOfPhases() : before_(outside) {}

// Those that were within it are parts of it.
OutsideOfPhases::~OutsideOfPhases() {
  outside = before_ + (std::chrono::steady_clock::now() - begin_);
}

MessagePhase::MessagePhase(Phase phase, std::size_t bytes)
    : span_(phase_names[static_cast<std::size_t>(phase)], timeline::Kind::codec, bytes),
      phase_(phase) {}

MessagePhase::~MessagePhase() {
  const auto time = std::chrono::steady_clock::now() - begin_;
  Statistics& statistics = current().statistics;
  phase_ == Phase::encode ? statistics.count_coding(time) : statistics.count_expanding(time);
}

double MessagePhase::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

}  // namespace tightwire::runtime
