#include "os/waiting/spin_then_sleep.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

namespace tightwire::os {
namespace {

// A few hundred nanoseconds each: what comes at once is not waited for.
constexpr unsigned looks_at_once = 64;
// Of a wait: naps of a part of it do not end much too late then.
constexpr double longest_yielding = 1e-3;
constexpr double between_measurements = 50e-6;
// Some of the scheduler's turns: what came before tells nothing of now.
constexpr double longest_measurement = 20e-3;
constexpr double short_look = 5e-6;  // no more than asking for a few messages
constexpr double longest_idle = 2;   // look that finds nothing, of the cheapest one of the wait

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void sleep_for(double seconds) {
  const timespec nap{0, static_cast<long>(1e9 * seconds)};
  nanosleep(&nap, nullptr);
}

thread_local SharedCore core;

}  // namespace

void SpinThenSleep::pause() {
  if (++looks_ < looks_at_once && !begins_with_yields()) return;
  const double now = seconds(CLOCK_MONOTONIC);
  if (begin_ == 0) first_ = begin_ = now;
  if (now >= next_) measure(now);
  if (!core.is_wanted(now) || yields_first(now)) {
    own_before_look_ = 0;
    sched_yield();
    return;
  }
  give_way(now);
  next_ = 0;  // what the naps took tells of nobody
  own_before_look_ = seconds(CLOCK_THREAD_CPUTIME_ID);
}

// One look is enough to see that nothing has come.
bool SpinThenSleep::begins_with_yields() const {
  return naps_ == Naps::after_yields && core.was_wanted();
}

bool SpinThenSleep::yields_first(double now) const {
  return naps_ == Naps::after_yields && now - first_ < longest_yielding;
}

// Bytes that were moved take more of the core than a look that finds nothing. After some others are
// to be expected soon: a long nap would let buffers run dry.
void SpinThenSleep::give_way(double now) {
  if (own_before_look_ == 0) return sleep_for(SharedCore::nap(now - begin_));
  const double look = seconds(CLOCK_THREAD_CPUTIME_ID) - own_before_look_;
  // At many messages every look takes long.
  const bool has_moved = look > std::max(short_look, longest_idle * cheapest_look_);
  cheapest_look_ = std::min(cheapest_look_, look);
  if (look > short_look) begin_ = now;
  if (has_moved) {
    sched_yield();
  } else {
    sleep_for(SharedCore::nap(now - begin_));
  }
}

void SpinThenSleep::measure(double now) {
  const double own = seconds(CLOCK_THREAD_CPUTIME_ID);
  if (next_ != 0) {
    core.note(now, now - since_, own - own_);
  }
  if (next_ == 0 || now - since_ > longest_measurement) {
    since_ = now;
    own_ = own;
  }
  next_ = now + between_measurements;
}

}  // namespace tightwire::os
