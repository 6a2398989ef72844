#include "collective/plan/decision/short_call.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <utility>

#include "collective/plan/usable_communicator.h"
#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/effective_settings.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// Of the size class, which times are of as well. Without helpers, which have more to do where it
// pays to wake them.
policy::Facts facts_alone(const CallKey& call_key, const mpi::Communicator& communicator) {
  return facts_of(call_key.operation, std::bit_floor(call_key.bytes), communicator, 1);
}

bool link_is_stated() {
  return runtime::current().settings.link.given();
}

// By what such calls took where they took the longest. If the ranks know the network, by that, but
// no less than where they took the shortest, as ranks that come first wait for others: it may be
// taken for too fast, by calls that are shorter still. What the user says of it is taken at its
// word.
double raw_seconds(const policy::Facts& facts, const mpi::Communicator& communicator,
                   const policy::OnlineTuner& tuner) {
  if (link_is_stated()) return policy::raw_seconds(facts);
  const double own = tuner.shortest_call();
  std::array<double, 2> agreed{own, -own};
  communicator.participants.agree(agreed, MPI_MAX);
  const auto [longest, shortest] = std::pair(agreed[0], -agreed[1]);
  return facts.network.known() ? std::max(shortest, policy::raw_seconds(facts)) : longest;
}

std::size_t look(const CallKey& call_key, const mpi::Communicator& communicator,
                 const policy::OnlineTuner& tuner, policy::ShortCalls& calls) {
  const policy::Facts facts = facts_alone(call_key, communicator);
  const double seconds = raw_seconds(facts, communicator, tuner);
  // Of longer ones values tell: some shrink far more than is hoped for here.
  const bool gains =
      !call_key.is_short ||
      policy::may_gain(call_key.effective.settings, call_key.plan, call_key.type, facts, seconds);
  return calls.end_look(gains, seconds);
}

bool is_below(const std::atomic<std::size_t>& limit, std::size_t bytes) {
  return bytes < limit.load(std::memory_order_relaxed);
}

// Whether its size alone tells that such a call is short, and no kind of them may gain.
bool may_leave_all_alone(std::size_t bytes, const mpi::Communicator& communicator, MPI_Comm comm) {
  const auto may_gain = [](const auto& known) { return known.second.may_gain(); };
  return is_below(runtime::current().smallest_untimed, bytes) && !mpi::is_hinted(comm) &&
         std::ranges::none_of(communicator.learned->short_calls, may_gain);
}

}  // namespace

// A threshold that the user gives is taken at its word.
bool may_be_short(const CallKey& call_key) {
  const settings::Settings& settings = call_key.effective.settings;
  const settings::Threshold& threshold = call_key.plan.tier == policy::Tier::bounded
                                             ? settings.threshold_bounded
                                             : settings.threshold_exact;
  return call_key.is_timed && call_key.bytes < policy::ShortCalls::too_large &&
         (call_key.is_short || threshold == settings::Threshold{});
}

bool is_timed(const CalledOn& on) {
  return on.calling == Calling::waits && !on.participants.are_between() &&
         !runtime::is_deterministic();
}

// Nothing that other communicators were told counts here: their ranks may be others.
bool is_left_alone(std::size_t bytes, const Form& form, MPI_Comm comm) {
  const runtime::Runtime& runtime = runtime::current();
  if (!is_below(runtime.smallest_untimed, bytes) || mpi::is_hinted(comm)) return false;
  if (is_below(runtime.smallest_timed, bytes) || form.calling != Calling::waits) return true;
  if (comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return true;
  mpi::CommunicatorState& state = mpi::state_of(comm);
  return state.membership(comm).is_inter || state.leaves_short_call_alone() || passes_all(comm);
}

ShortCall decide_short(const CallKey& call_key, mpi::Communicator& communicator,
                       const policy::KindOfCall& kind, const policy::OnlineTuner& tuner,
                       MPI_Comm comm) {
  // An agreement is little beside longer ones.
  constexpr std::size_t first_look_at_longer_ones = 2;
  auto& known = communicator.learned->short_calls;
  policy::ShortCalls& calls =
      call_key.is_short ? known[kind]
                        : known.try_emplace(kind, first_look_at_longer_ones).first->second;
  // By an earlier run.
  if (tuner.compress()) calls.begin_worth_it();
  if (calls.are_worth_it()) return ShortCall::worth_it;
  if (calls.look_due()) {
    const std::size_t pause = look(call_key, communicator, tuner, calls);
    if (calls.are_worth_it()) return ShortCall::worth_it;
    may_leave_all_alone(call_key.bytes, communicator, comm)
        ? mpi::state_of(comm).leave_short_calls_alone(pause)
        : calls.skip(pause);
  }
  const bool is_timed = calls.is_timed() && !link_is_stated();
  calls.count_call();
  return is_timed ? ShortCall::timed : ShortCall::untimed;
}

}  // namespace tightwire::collective
