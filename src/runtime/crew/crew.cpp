#include "runtime/crew/crew.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "os/cores/affinity.h"
#include "runtime/crew/in_order.h"
#include "timeline/events.h"

namespace tightwire::runtime {
namespace {

// After a look that found no core the next one can find another only so much later.
constexpr auto rest_time = std::chrono::milliseconds(100);

}  // namespace

// One call of run(), as all threads see it.
struct Crew::Run {
  Crew& crew;
  InOrder in_order;
  cpu_set_t mask;
  bool any_core;
  std::atomic<std::size_t> helped{0};
  std::exception_ptr failure;
};

// With a number of threads as many cores as that; else enough for one helper.
cpu_set_t Crew::Home::near(const cpu_set_t& mask, const Limits& limits) {
  const std::scoped_lock lock(mutex_);
  if (!nodes_) {
    nodes_ = os::numa_nodes(folder_);
    core_ = sched_getcpu();
  }
  if (nodes_->size() < 2) return mask;
  constexpr std::size_t for_a_helper = 2;
  const std::size_t least = limits.any_core ? limits.threads : for_a_helper;
  return os::cores_near(core_, mask, *nodes_, static_cast<int>(std::min(least, most_helpers + 1)));
}

void work_alone(const Crew::Items& items) {
  const auto known = [&] { return items.known ? items.known() : items.count; };
  for (std::size_t item = 0; item < known(); ++item) {
    items.work(item);
    items.deliver(item);
  }
}

Crew::Done Crew::run(const Items& items, const Limits& limits) {
  const std::size_t places = std::min(items.count, items.window);
  const std::size_t threads = places < 2 ? 1 : std::min(places, this->threads(limits));
  if (threads < 2) {
    work_alone(items);
    return {};
  }
  Run run{*this,
          InOrder(items, threads - 1),
          home_.near(os::affinity_mask(), limits),
          limits.any_core,
          0,
          nullptr};
  os::ThreadPool::Task task;
  task.context = &run;
  task.threads = threads;
  task.work = [](void* context, std::span<std::byte>, std::size_t worker) {
    Run& joint = *static_cast<Run*>(context);
    worker == 0 ? work_as_caller(joint) : work_as_helper(joint, joint.crew.helpers_[worker - 1]);
  };
  const bool together = pool_.run(task);
  if (!together) {
    run.in_order.is_alone();
    work_as_caller(run);
  }
  if (run.failure) std::rethrow_exception(run.failure);
  return {run.helped.load(std::memory_order_relaxed), !together};
}

void Crew::work_as_caller(Run& run) {
  try {
    run.in_order.work_and_deliver();
  } catch (...) {
    run.in_order.stop();
    run.failure = std::current_exception();
  }
}

void Crew::work_as_helper(Run& run, Helper& helper) {
  timeline::name_thread("helper");
  const InOrder::Helping helping(run.in_order);
  do {
    if (!helper.on_core(run.mask, run.any_core)) return;
    while (run.in_order.work_on_one()) {
      run.helped.fetch_add(1, std::memory_order_relaxed);
      if (!helper.core->still_alone()) return helper.rest();
    }
  } while (run.in_order.wait_for_next());
}

// The first helpers are those that have a core. Where they have, as many more look for one: so a
// crew grows fast, and few look in vain.
std::size_t Crew::threads(const Limits& limits) const {
  const std::size_t most = std::min(limits.threads, 1 + most_helpers);
  if (most < 2) return 1;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  std::size_t helpers = 0;
  std::size_t with_core = 0;
  for (; helpers < most - 1; ++helpers) {
    const Helper& helper = helpers_[helpers];
    if (now < helper.rests_until.load(std::memory_order_relaxed)) break;
    if (helper.has_core.load(std::memory_order_relaxed)) ++with_core;
  }
  if (!limits.any_core) helpers = std::min(helpers, 2 * with_core + 1);
  return helpers == 0 ? 1 : std::min<std::size_t>(1 + helpers, pool_.available());
}

bool Crew::has_helpers(const Limits& limits) const {
  if (threads(limits) < 2) return false;
  return limits.any_core || std::ranges::any_of(helpers_, [](const Helper& helper) {
           return helper.has_core.load(std::memory_order_relaxed);
         });
}

bool Crew::Helper::on_core(const cpu_set_t& mask_of_caller, bool forced) {
  if (!core || forced != any_core || !CPU_EQUAL(&mask, &mask_of_caller)) {
    mask = mask_of_caller;
    any_core = forced;
    core.emplace(mask, any_core);
    // Who stands where it likes is told the limits once; the pool gave it those of the caller.
    if (forced) static_cast<void>(sched_setaffinity(0, sizeof mask, &mask));
  }
  if (!core->available()) {
    rest();
    return false;
  }
  has_core.store(true, std::memory_order_relaxed);
  return true;
}

void Crew::Helper::rest() {
  has_core.store(false, std::memory_order_relaxed);
  rests_until.store((Clock::now() + rest_time).time_since_epoch().count(),
                    std::memory_order_relaxed);
}

}  // namespace tightwire::runtime
