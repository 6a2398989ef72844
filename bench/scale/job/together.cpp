// Helpers of simulated ranks: pieces of a call that a crew would work on at once are worked on one
// after the other and charged as by so many threads. This stands for runtime/crew/together.cpp,
// which is not linked. `threads = auto` finds no core here.
#include "runtime/crew/together.h"

#include <algorithm>

#include "policy/cost/helpers.h"
#include "runtime/runtime.h"
#include "scale/job/charge.h"

namespace tightwire::runtime {
namespace {

std::size_t threads() {
  const settings::Count wanted = current().settings.threads;
  return wanted.given() ? std::max<std::size_t>(wanted.value, 1) : 1;
}

}  // namespace

void open_crew() {}
void close_crew() {}

std::size_t places_together(std::size_t most) {
  return threads() < 2 ? 1 : std::min(most, 2 * threads());
}

Patience::Clock::duration patience_for(std::size_t bytes) {
  return current().patience.of(bytes);
}

// In rounds of as many pieces as there are threads, for so many bytes each as a helper of a real
// job that finds its threads itself: none is delivered before its round is over.
void work_together(const Crew::Items& items, std::size_t bytes) {
  const std::size_t at_once =
      std::max<std::size_t>(std::min(threads(), bytes / policy::least_bytes_of_helper), 1);
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
