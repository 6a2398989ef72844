#include "p2p/state/encoding_helper.h"

#include <exception>
#include <vector>

#include "os/affinity.h"
#include "timeline/events.h"

namespace tightwire::p2p {
namespace {

// After a look that found no core the next one can find another only so much later.
constexpr auto rest_time = std::chrono::milliseconds(100);

// Who takes which item, and how far they are. Items are taken in order; one is taken only when the
// item that had its place before has been delivered.
class InOrder {
 public:
  explicit InOrder(const EncodingHelper::Items& items) : items_(items), done_(items.window) {}

  // Works on the next item; false if there is none, or no place for it.
  bool work_on_one() {
    const auto item = take();
    if (!item) return false;
    items_.work(*item);
    std::atomic<std::size_t>& done = done_[*item % items_.window];
    done.store(*item + 1, std::memory_order_release);
    done.notify_one();
    return true;
  }

  // What follows is for the calling thread.

  void work_and_deliver() {
    while (delivered_.load(std::memory_order_relaxed) < items_.count) {
      const bool took = work_on_one();
      deliver_done(!took);
    }
  }

  // Nothing is taken any more.
  void stop() { next_.store(items_.count, std::memory_order_relaxed); }

 private:
  std::optional<std::size_t> take() {
    std::size_t item = next_.load(std::memory_order_relaxed);
    do {
      const std::size_t delivered = delivered_.load(std::memory_order_acquire);
      if (item >= items_.count || item >= delivered + items_.window) return std::nullopt;
    } while (!next_.compare_exchange_weak(item, item + 1, std::memory_order_relaxed));
    return item;
  }

  // With `wait` one at least: the helper is at it, since there is no other left to take.
  void deliver_done(bool wait) {
    for (std::size_t item = delivered_.load(std::memory_order_relaxed); item < items_.count;
         ++item) {
      const std::atomic<std::size_t>& done = done_[item % items_.window];
      for (std::size_t last = done.load(std::memory_order_acquire); last != item + 1;
           last = done.load(std::memory_order_acquire)) {
        if (!wait) return;
        done.wait(last, std::memory_order_acquire);
      }
      wait = false;
      items_.deliver(item);
      delivered_.store(item + 1, std::memory_order_release);
    }
  }

  const EncodingHelper::Items& items_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> delivered_{0};
  std::vector<std::atomic<std::size_t>> done_;  // by place: the last item done there, plus 1
};

}  // namespace

// One call of run(), as both threads see it.
struct EncodingHelper::Run {
  EncodingHelper& helper;
  InOrder in_order;
  cpu_set_t mask;
  bool any_core;
  std::size_t helped = 0;
  std::exception_ptr failure;
};

std::size_t EncodingHelper::run(const Items& items, bool forced) {
  if (items.count < 2 || items.window < 2) {
    for (std::size_t item = 0; item < items.count; ++item) {
      items.work(item);
      items.deliver(item);
    }
    return 0;
  }
  Run run{*this, InOrder(items), os::affinity_mask(), forced, 0, nullptr};
  os::ThreadPool::Task task;
  task.context = &run;
  task.threads = 2;
  task.work = [](void* context, std::span<std::byte>, bool of_caller) {
    of_caller ? work_as_caller(*static_cast<Run*>(context))
              : work_as_helper(*static_cast<Run*>(context));
  };
  if (!promising() || !pool_.run(task)) run.in_order.work_and_deliver();
  if (run.failure) std::rethrow_exception(run.failure);
  return run.helped;
}

void EncodingHelper::work_as_caller(Run& run) {
  try {
    run.in_order.work_and_deliver();
  } catch (...) {
    run.in_order.stop();
    run.failure = std::current_exception();
  }
}

void EncodingHelper::work_as_helper(Run& run) {
  if (!run.helper.on_core(run.mask, run.any_core)) return;
  timeline::name_thread("helper");
  while (run.in_order.work_on_one()) {
    ++run.helped;
    if (run.helper.core_->still_alone()) continue;
    run.helper.rest();
    return;
  }
}

bool EncodingHelper::promising() const {
  return pool_.available() > 1 &&
         Clock::now().time_since_epoch().count() >= rests_until_.load(std::memory_order_relaxed);
}

bool EncodingHelper::on_core(const cpu_set_t& mask_of_caller, bool forced) {
  if (!core_ || forced != forced_ || !CPU_EQUAL(&mask_, &mask_of_caller)) {
    mask_ = mask_of_caller;
    forced_ = forced;
    core_.emplace(mask_, forced_);
  }
  if (core_->available()) return true;
  rest();
  return false;
}

void EncodingHelper::rest() {
  rests_until_.store((Clock::now() + rest_time).time_since_epoch().count(),
                     std::memory_order_relaxed);
}

}  // namespace tightwire::p2p
