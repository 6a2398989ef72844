#include "collective/plan/decision/short_call.h"

#include <algorithm>
#include <array>

#include "mpi/communicator/communicator_state.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// Without helpers, which have more to do where it pays to wake them.
bool may_gain(const CallKey& call_key, const mpi::Communicator& communicator, double raw_seconds) {
  const policy::Facts facts{call_key.operation, call_key.bytes, communicator.comparable_size(),
                            communicator.network, 1};
  return policy::may_gain(call_key.effective.settings, call_key.plan, call_key.type, facts,
                          raw_seconds);
}

// By the network, if the ranks know it; else by what such calls took where they took the longest.
double raw_seconds(const CallKey& call_key, const mpi::Communicator& communicator,
                   const policy::OnlineTuner& tuner) {
  if (communicator.network.known()) {
    return policy::raw_seconds({call_key.operation, call_key.bytes, communicator.comparable_size(),
                                communicator.network, 1});
  }
  std::array<double, 1> longest{tuner.shortest_call()};
  communicator.participants.agree(longest, MPI_MAX);
  return longest[0];
}

// Whether short calls of all kinds can be told by their size alone, and none of them is worth it.
bool may_leave_all_alone(const mpi::Communicator& communicator) {
  const auto is_worth_it = [](const auto& known) { return known.second.are_worth_it(); };
  return runtime::current().smallest_untimed.load(std::memory_order_relaxed) > 0 &&
         std::ranges::none_of(communicator.learned->short_calls, is_worth_it);
}

}  // namespace

bool is_timed(const CalledOn& on) {
  return on.calling == Calling::waits && !on.participants.are_between() &&
         !runtime::is_deterministic();
}

bool is_left_alone(std::size_t bytes, const Form& form, MPI_Comm comm) {
  if (bytes >= runtime::current().smallest_untimed.load(std::memory_order_relaxed)) return false;
  if (form.calling != Calling::waits || comm == MPI_COMM_NULL) return true;
  mpi::CommunicatorState& state = mpi::state_of(comm);
  return state.membership(comm).is_inter || state.leaves_short_call_alone() || passes_all(comm);
}

ShortDecision decide_short(const CallKey& call_key, mpi::Communicator& communicator,
                           const policy::KindOfCall& kind, const policy::OnlineTuner& tuner,
                           MPI_Comm comm) {
  policy::ShortCalls& calls = communicator.learned->short_calls[kind];
  if (calls.are_worth_it() || tuner.compress()) return {true, true};
  if (calls.look_due()) {
    const double seconds = raw_seconds(call_key, communicator, tuner);
    const std::size_t pause = calls.end_look(may_gain(call_key, communicator, seconds));
    if (calls.are_worth_it()) return {true, true};
    may_leave_all_alone(communicator) ? mpi::state_of(comm).leave_short_calls_alone(pause)
                                      : calls.skip(pause);
  }
  const bool is_timed = calls.is_timed() && !communicator.network.known();
  calls.count_call();
  return {false, is_timed};
}

}  // namespace tightwire::collective
