#include "runtime/crew/own_speedup.h"

#include <algorithm>
#include <functional>
#include <new>

namespace tightwire::runtime {
namespace {

// The part of the time that measuring may take, and how soon it is worth it again: idle cores come
// and go.
constexpr double share_of_measuring = 0.005;
constexpr double least_pause = 0.2;

}  // namespace

std::optional<double> OwnSpeedup::try_to_measure(Crew& crew, const Crew::Limits& limits) const {
  const std::size_t threads = crew.threads(limits);
  if (threads < 2) return 1;
  bool in_vain = false;
  try {
    const double speedup =
        measure_(threads, [&](std::size_t pieces, const std::function<void(std::size_t)>& work) {
          const Crew::Done done = crew.run({pieces, pieces, work, [](std::size_t) {}}, limits);
          in_vain = in_vain || done.in_vain;
        });
    return in_vain ? std::nullopt : std::optional(speedup);
  } catch (const std::bad_alloc&) {
    return 1;
  }
}

double OwnSpeedup::measured(Crew& crew, const Crew::Limits& limits) {
  const std::unique_lock lock(measuring_, std::try_to_lock);
  if (!lock.owns_lock()) return last();
  const bool as_before = limits.threads == limits_.threads && limits.any_core == limits_.any_core;
  const Clock::time_point begin = Clock::now();
  if (as_before && begin < next_) return last();
  limits_ = limits;
  const std::optional<double> speedup = try_to_measure(crew, limits);
  if (speedup) last_.store(*speedup, std::memory_order_relaxed);
  const std::chrono::duration<double> took = Clock::now() - begin;
  const std::chrono::duration<double> pause(
      std::max(least_pause, took.count() / share_of_measuring));
  next_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  return last();
}

}  // namespace tightwire::runtime
