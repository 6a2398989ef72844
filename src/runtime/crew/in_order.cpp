#include "runtime/crew/in_order.h"

#include <algorithm>
#include <chrono>

#include "os/waiting/spin_then_sleep.h"
#include "policy/cost/helpers.h"

namespace tightwire::runtime {
namespace {

// A helper that takes nothing for so long has not got its core.
constexpr auto time_to_wake = std::chrono::microseconds(50);

}  // namespace

InOrder::InOrder(const Crew::Items& items, std::size_t helpers)
    : items_(items), helpers_(helpers), done_(items.window), known_(items.known ? 0 : items.count) {
  open();
}

void InOrder::work_and_deliver() {
  if (items_.known) return deliver_as_they_come();
  while (delivered_ < items_.count) {
    const bool took = work_on_one();
    deliver_done(!took);
  }
}

void InOrder::stop() {
  next_.store(items_.count, std::memory_order_relaxed);
  open_.store(items_.count, std::memory_order_release);
  open_.notify_all();
}

bool InOrder::work_on_one() {
  const auto item = take();
  if (!item) return false;
  at_work_.fetch_add(1, std::memory_order_relaxed);
  items_.work(*item);
  at_work_.fetch_sub(1, std::memory_order_relaxed);
  std::atomic<std::size_t>& done = done_[*item % items_.window];
  done.store(*item + 1, std::memory_order_release);
  done.notify_one();
  return true;
}

bool InOrder::wait_for_next() {
  const std::size_t open = open_.load(std::memory_order_acquire);
  const std::size_t item = next_.load(std::memory_order_relaxed);
  if (item >= items_.count) return false;
  if (item >= open) open_.wait(open, std::memory_order_acquire);
  return true;
}

std::optional<std::size_t> InOrder::take() {
  std::size_t item = next_.load(std::memory_order_relaxed);
  do {
    const std::size_t open = open_.load(std::memory_order_acquire);
    if (item >= items_.count || item >= open) return std::nullopt;
  } while (!next_.compare_exchange_weak(item, item + 1, std::memory_order_relaxed));
  return item;
}

// With `wait` one at least: a helper is at it, since there is no other left to take.
void InOrder::deliver_done(bool wait) {
  for (std::size_t item = delivered_; item < known_; ++item) {
    const std::atomic<std::size_t>& done = done_[item % items_.window];
    for (std::size_t last = done.load(std::memory_order_acquire); last != item + 1;
         last = done.load(std::memory_order_acquire)) {
      if (!wait) return;
      done.wait(last, std::memory_order_acquire);
    }
    wait = false;
    items_.deliver(item);
    delivered_ = item + 1;
    open();
  }
}

// While helpers do it all, it looks again and again, since what it looks for moves by that.
void InOrder::deliver_as_they_come() {
  os::SpinThenSleep spin;
  while (find_more() || delivered_ < known_) {
    const std::size_t before = delivered_;
    const bool worked = !is_left_to_helpers() && work_on_one();
    deliver_done(false);
    if (worked || delivered_ > before) {
      spin = os::SpinThenSleep();
    } else {
      spin.pause();
    }
  }
  stop();
}

bool InOrder::find_more() {
  const std::size_t before = known_;
  known_ = items_.known();
  if (known_ == before) return false;
  open();
  return true;
}

// Unless one has nothing to do and does not come: it may not have got its core.
bool InOrder::is_left_to_helpers() {
  const std::size_t helpers = helpers_.load(std::memory_order_relaxed);
  if (helpers < policy::enough_helpers) return false;
  const Seen now{next_.load(std::memory_order_relaxed), open_.load(std::memory_order_relaxed)};
  const bool has_idle = now.taken == seen_.taken && now.taken < seen_.open &&
                        at_work_.load(std::memory_order_relaxed) < helpers;
  seen_ = now;
  const auto time = std::chrono::steady_clock::now();
  if (!has_idle) idle_since_ = time;
  return time - idle_since_ < time_to_wake;
}

void InOrder::open() {
  open_.store(std::min(known_, delivered_ + items_.window), std::memory_order_release);
  open_.notify_all();
}

}  // namespace tightwire::runtime
