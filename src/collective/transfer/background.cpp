#include "collective/transfer/background.h"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "collective/transfer/progress_thread.h"
#include "mpi/communicator/private/world.h"
#include "mpi/error.h"
#include "mpi/progress/mpi_progress.h"
#include "os/waiting/spin_then_sleep.h"
#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

std::atomic<bool> starts_allowed{false};

void advance_all() {
  if (background().any()) background().advance();
}

bool agreed(bool here) {
  int everywhere = here ? 1 : 0;
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
  return everywhere != 0;
}

}  // namespace

Background& background() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const background = new Background;
  return *background;
}

void Background::begin(std::shared_ptr<BackgroundCall> call,
                       const mpi::Communicator& communicator) {
  {
    const std::scoped_lock lock(mutex_);
    calls_[&communicator].push_back(std::move(call));
    any_.store(true, std::memory_order_release);
  }
  mpi::begin_progress();
  advance();
  if (any()) wake_progress_thread();
}

// A copy of each, since whoever completes a call may end its life meanwhile.
std::vector<Background::First> Background::first_calls() {
  const std::scoped_lock lock(mutex_);
  std::vector<First> first;
  first.reserve(calls_.size());
  for (const auto& [communicator, calls] : calls_) {
    first.push_back({communicator, calls.front(), calls.size() > 1 ? calls[1] : nullptr});
  }
  return first;
}

// The one behind has to wait until the first is over, even where the second is.
void Background::advance(const First& first) {
  const bool is_over = first.call->advance();
  const bool may_next = is_over || first.call->lets_next_begin();
  if (may_next && first.next != nullptr && !first.next->is_over()) {
    static_cast<void>(first.next->advance());
  }
  if (is_over) remove_ended(first.communicator);
}

void Background::remove_ended(const mpi::Communicator* communicator) {
  const std::scoped_lock lock(mutex_);
  const auto found = calls_.find(communicator);
  Calls& calls = found->second;
  while (!calls.empty() && calls.front()->is_over()) calls.pop_front();
  if (calls.empty()) calls_.erase(found);
  any_.store(!calls_.empty(), std::memory_order_release);
}

bool Background::has(const mpi::Communicator& communicator) {
  const std::scoped_lock lock(mutex_);
  return calls_.find(&communicator) != calls_.end();
}

// MPI's functions come back here while a call is moved on.
void Background::advance() noexcept {
  if (advancing_.test_and_set(std::memory_order_acquire)) return;
  mpi::indispensable({"a started collective"}, MPI_COMM_WORLD, [&] {
    for (const First& first : first_calls()) advance(first);
  });
  advancing_.clear(std::memory_order_release);
}

template <class Condition>
void Background::advance_until(Condition&& is_met) {
  for (os::SpinThenSleep spin; !is_met(); spin.pause()) advance();
}

void Background::finish(const BackgroundCall& call) {
  advance_until([&] { return call.is_over(); });
}

void Background::finish(const mpi::Communicator& communicator) {
  advance_until([&] { return !has(communicator); });
}

Background::Unfinished Background::unfinished() {
  const std::scoped_lock lock(mutex_);
  Unfinished all;
  for (const auto& [communicator, calls] : calls_) {
    all.calls += calls.size();
    for (const auto& call : calls) all.place += call->place();
  }
  return all;
}

// Over the private world: on the program's communicators its own collectives may be incomplete.
Background::Unfinished Background::unfinished_everywhere() {
  const Unfinished own = unfinished();
  Unfinished all;
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(PMPI_Iallreduce(&own, &all, 2, MPI_UINT64_T, MPI_SUM, mpi::private_world(), &request));
  os::SpinThenSleep spin;
  for (;;) {
    advance();
    int done = 0;
    mpi::check(PMPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return all;
    spin.pause();
  }
}

// Once all ranks are here no other call can begin. So where for many seconds none comes on, some
// ranks have begun a call that others have not.
void Background::finish_all() {
  constexpr std::chrono::seconds longest_standstill{10};
  using Clock = std::chrono::steady_clock;
  Clock::time_point changed = Clock::now();
  Unfinished before = unfinished_everywhere();
  while (before.calls > 0) {
    const Clock::time_point next = Clock::now() + std::chrono::milliseconds(5);
    advance_until([&] { return Clock::now() >= next; });
    const Unfinished now = unfinished_everywhere();
    if (now != before) changed = Clock::now();
    before = now;
    bool is_stuck = Clock::now() - changed > longest_standstill;
    mpi::check(PMPI_Bcast(&is_stuck, 1, MPI_CXX_BOOL, 0, mpi::private_world()));
    if (is_stuck) return give_up();
  }
}

// They are kept for ever, since MPI may still write to them. Nobody moves them on meanwhile.
void Background::give_up() noexcept {
  while (advancing_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  const std::scoped_lock lock(mutex_);
  static auto& given_up = *std::make_unique<std::map<const mpi::Communicator*, Calls>>().release();
  given_up.swap(calls_);
  any_.store(false, std::memory_order_release);
  std::size_t calls_left = 0;
  for (const auto& [communicator, calls] : given_up) {
    for (const auto& call : calls) {
      if (call->is_over()) continue;
      ++calls_left;
      call->give_up();
    }
  }
  advancing_.clear(std::memory_order_release);
  if (calls_left == 0) return;
  runtime::log("MPI_Finalize: " + std::to_string(calls_left) +
               " of the collectives that this rank has started are not complete, and never will "
               "be: not all ranks have started them. They are given up");
}

bool may_start() {
  return starts_allowed.load(std::memory_order_relaxed);
}

void start_background(bool can_start) {
  if (mpi::private_world() == MPI_COMM_NULL) return;
  const bool possible = can_start && mpi::may_offer_tags() && mpi::open_progress(&advance_all);
  if (!agreed(possible)) return mpi::close_progress();
  starts_allowed.store(true, std::memory_order_relaxed);
}

void finish_background() {
  if (!may_start()) return;
  const struct Stop {
    ~Stop() { stop_progress_thread(); }
  } at_the_end;
  background().finish_all();
  starts_allowed.store(false, std::memory_order_relaxed);
  mpi::close_progress();
}

}  // namespace tightwire::collective
