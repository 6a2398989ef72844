#include "os/waiting/spin_then_sleep.h"

#include <sched.h>
#include <time.h>

namespace tightwire::os {
namespace {

// A few hundred nanoseconds each: what comes at once is not waited for.
constexpr unsigned looks_at_once = 64;
constexpr double between_measurements = 50e-6;
// Some of the scheduler's turns: what came before tells nothing of now.
constexpr double longest_measurement = 20e-3;

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
  if (++looks_ < looks_at_once) return;
  const double now = seconds(CLOCK_MONOTONIC);
  if (begin_ == 0) begin_ = now;
  if (now >= next_) measure(now);
  if (!core.is_wanted(now)) {
    sched_yield();
    return;
  }
  sleep_for(SharedCore::nap(now - begin_));
  next_ = 0;  // what the naps took tells of nobody
}

void SpinThenSleep::measure(double now) {
  const double own = seconds(CLOCK_THREAD_CPUTIME_ID);
  if (next_ != 0) core.note(now, now - since_, own - own_);
  if (next_ == 0 || now - since_ > longest_measurement) {
    since_ = now;
    own_ = own;
  }
  next_ = now + between_measurements;
}

}  // namespace tightwire::os
