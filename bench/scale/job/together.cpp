// Helpers of simulated ranks: pieces of a call that a crew would work on at once are worked on one
// after the other and charged as by so many threads. This stands for runtime/crew/together.cpp,
// which is not linked. `threads = auto` finds no core here.
#include "runtime/crew/together.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "policy/cost/helpers.h"
#include "runtime/runtime.h"
#include "scale/job/charge.h"

namespace tightwire::runtime {
namespace {

std::size_t threads() {
  const settings::Count wanted = current().settings.threads;
  return wanted.given() ? std::max<std::size_t>(wanted.value, 1) : 1;
}

using Clock = Patience::Clock;

// For what moves, where nothing has.
constexpr double look_seconds = 5e-7;

// Helpers take what is known as they get free, and so does the caller if there are not enough, as
// in runtime/crew/in_order.h.
class AsTheyCome {
 public:
  AsTheyCome(const Crew::Items& items, std::size_t helpers) : items_(items), free_(helpers) {}

  void run() {
    for (;;) {
      known_ = items_.known();
      if (delivered_ == known_) return;
      const std::size_t before = taken_ + delivered_;
      help();
      if (free_.size() < policy::enough_helpers && taken_ < open()) work_as_caller();
      deliver_done();
      if (taken_ + delivered_ == before) scale::charge_seconds(look_seconds);
    }
  }

 private:
  [[nodiscard]] std::size_t open() const { return std::min(known_, delivered_ + items_.window); }
  Clock::time_point& done(std::size_t item) { return done_[item % items_.window]; }

  void help() {
    for (Clock::time_point& free : free_) {
      const Clock::time_point now = Clock::now();
      if (taken_ == open()) return;
      if (free <= now) free = now + std::chrono::duration_cast<Clock::duration>(work(now));
    }
  }

  void work_as_caller() { scale::charge_seconds(work(Clock::now()).count()); }

  // On the next item, by a thread that begins now. How long that takes.
  std::chrono::duration<double> work(Clock::time_point now) {
    const auto others = std::ranges::count_if(free_, [&](auto until) { return until > now; });
    const scale::OfOneThread thread(static_cast<std::size_t>(others) + 1);
    items_.work(taken_);
    const std::chrono::duration<double> took(thread.coding());
    carrying_[taken_ % items_.window] = thread.carrying();
    done(taken_++) = now + std::chrono::duration_cast<Clock::duration>(took);
    return took;
  }

  void deliver_done() {
    for (; delivered_ < taken_ && done(delivered_) <= Clock::now(); ++delivered_) {
      scale::charge_seconds(carrying_[delivered_ % items_.window]);
      items_.deliver(delivered_);
    }
  }

  const Crew::Items& items_;
  std::vector<Clock::time_point> free_;  // when each helper is
  std::vector<Clock::time_point> done_ = std::vector<Clock::time_point>(items_.window);  // by place
  std::vector<double> carrying_ = std::vector<double>(items_.window);  // seconds, by place
  std::size_t known_ = 0;
  std::size_t taken_ = 0;
  std::size_t delivered_ = 0;
};

}  // namespace

void open_crew() {}
void close_crew() {}

std::size_t places_together(std::size_t most) {
  return threads() < 2 ? 1 : std::min(most, 2 * threads());
}

bool is_left_to_helpers(std::size_t pieces) {
  return pieces > 1 && threads() > policy::enough_helpers;
}

Patience::Clock::duration patience_for(std::size_t bytes) {
  return current().patience.of(bytes);
}

// In rounds of as many pieces as there are threads, for so many bytes each as a helper of a real
// job that finds its threads itself: none is delivered before its round is over.
void work_together(const Crew::Items& items, std::size_t bytes) {
  const std::size_t at_once =
      std::max<std::size_t>(std::min(threads(), bytes / policy::least_bytes_of_helper), 1);
  if (items.known) {
    if (at_once < 2) return work_alone(items);
    return AsTheyCome(items, at_once - 1).run();
  }
  const std::size_t piece = bytes / std::max<std::size_t>(items.count, 1);
  for (std::size_t begin = 0; begin < items.count;) {
    const auto now = Patience::Clock::now();
    const std::size_t end =
        std::min({items.count, begin + at_once, begin + std::max<std::size_t>(items.window, 1)});
    {
      const scale::AtOnce together(end - begin);
      for (std::size_t item = begin; item < end; ++item) items.work(item);
    }
    current().patience.note(Patience::Clock::now() - now, piece);
    for (; begin < end; ++begin) items.deliver(begin);
  }
}

// Free, as all that is only looked at.
void look_together(const Crew::Items& items, std::size_t /*bytes*/) {
  work_alone(items);
}

double known_own_speedup() {
  return is_deterministic() ? 1 : scale::speedup_of_coding(threads());
}

double own_coding_speedup(std::size_t /*bytes*/) {
  return known_own_speedup();
}

}  // namespace tightwire::runtime
