#include "collective/plan/decision/decide.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "collective/plan/decision/earlier_runs.h"
#include "collective/plan/decision/short_call.h"
#include "collective/plan/usable_communicator.h"
#include "mpi/clock/alignment.h"
#include "mpi/encoding/codec_time.h"
#include "mpi/encoding/sample_choice.h"
#include "mpi/error.h"
#include "mpi/history/message_history.h"
#include "mpi/network_memory.h"
#include "mpi/progress/core_share.h"
#include "policy/cost/bandwidth.h"
#include "policy/cost/cost.h"
#include "policy/cost/schedule.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// Whether messages of such calls may be predicted from earlier ones, as far as all ranks know.
bool remembers(policy::Operation operation, codec::Id codec, const settings::Settings& settings) {
  return may_remember() && settings.history != settings::History::off &&
         !policy::is_reduction(operation) &&
         (codec == codec::Id::exact || codec == codec::Id::bounded);
}

// The largest of all ranks.
template <std::size_t size>
void agree(std::array<double, size>& numbers, const mpi::Communicator& communicator) {
  communicator.participants.agree(numbers, MPI_MAX);
}

// Other communicators go by it too. What calls between two groups take says less of the network
// than of how MPI carries them out.
void remember_network_of(const mpi::Communicator& communicator) {
  if (!communicator.participants.are_between()) mpi::remember_network(communicator.network);
}

// What plain calls took tells of the network. Calls of one kind do not tell all.
void hold(const policy::Network& learned, mpi::Communicator& communicator, bool is_short = false) {
  if (runtime::current().settings.link.given()) return;
  communicator.network = learned;
  // Short calls tell little of a fast one.
  if (!is_short) remember_network_of(communicator);
}

// All as fast as the rank that has the least of helpers.
void learn_speedup(mpi::Communicator& communicator, double least) {
  communicator.learned->coding_speedup = least;
  runtime::current().agreed_speedup.store(least, std::memory_order_relaxed);
}

// Where data may shrink, times count, and so do clocks. The second agreement is about these, as
// they were in all calls since the last round.
void hold_tuning_round(mpi::Communicator& communicator, policy::OnlineTuner& tuner,
                       const CallKey& call_key, std::size_t bytes, const Sampled& sample) {
  policy::CommonClock& clock = communicator.learned->clock;
  const policy::Promise own = tuner.promise(sample.fraction);
  // Not where there are no times to tell yet, and nothing else to learn by it.
  const bool needs_clock = tuner.has_times() || communicator.network.latency <= 0;
  const bool is_due = needs_clock && clock.is_due(mpi::own_seconds());
  const std::size_t at_once =
      policy::bytes_at_once(call_key.operation, bytes, communicator.comparable_size());
  const bool shares_core = !runtime::is_deterministic() && mpi::core_is_shared();
  std::array<double, 6> agreed{own.sampled,        own.seen,
                               is_due ? 1.0 : 0.0, -runtime::own_coding_speedup(at_once),
                               sample.codec_time,  shares_core ? 1.0 : 0.0};
  agree(agreed, communicator);
  learn_speedup(communicator, -agreed[3]);
  communicator.network.ends_share_cores = agreed[5] > 0;
  const codec::Id codec = call_key.plan.codec;
  if (agreed[4] > 0) communicator.learned->codec_times[codec] = agreed[4];
  policy::Facts facts = facts_with_helpers(call_key.operation, bytes, communicator);
  facts.in_usual_chunks = is_cut_as_usual(call_key.effective.settings, false);
  policy::OnlineTuner::ModelInput input{
      call_key.effective.settings,
      call_key.plan,
      facts,
      call_key.type,
      remembers(call_key.operation, codec, call_key.effective.settings),
      communicator.learned->codec_time(codec)};
  const policy::Promise promised{agreed[0], agreed[1]};
  policy::CallTimes times;
  times.numbers.fill(policy::OnlineTuner::nothing);
  if (!runtime::is_deterministic() && policy::OnlineTuner::is_promising(input, promised)) {
    if (agreed[2] > 0) {
      communicator.network.latency = mpi::align_clock(communicator, clock);
      facts.network.latency = communicator.network.latency;
    }
    times = tuner.times(clock);
    agree(times.numbers, communicator);
    if (const auto raw = tuner.raw_seconds_of(times)) {
      hold(policy::learned_network(facts, *raw), communicator, call_key.is_short);
      facts.network = communicator.network;
    }
    input.facts = facts;
  }
  const bool before = tuner.compress();
  tuner.end_round(input, promised, times);
  if (tuner.compress() && !before) mpi::look_anew();
}

policy::Reason why_not(const policy::OnlineTuner& tuner) {
  if (tuner.compress()) return policy::Reason::none;
  if (tuner.is_measuring()) return policy::Reason::measuring;
  return tuner.compressible() ? policy::Reason::too_slow : policy::Reason::no_gain;
}

Decision passing_through(policy::Reason why) {
  return {nullptr, nullptr, why};
}

// Whether a plain call is to do so. Not where the network is known, or is now. Where no rank's
// plain calls tell anything of it, they are asked again after twice as many.
bool measures_network(mpi::Communicator& communicator, mpi::UnevenCalls& calls) {
  if (communicator.network.known()) return false;
  if (calls.plain_left == 0) {
    std::array<double, 1> rate{calls.rate};
    agree(rate, communicator);
    if (rate[0] > 0) {
      communicator.network.bandwidth = rate[0];
      remember_network_of(communicator);
      return false;
    }
    calls.plain_left = calls.plain_next;
    calls.plain_next *= 2;
  }
  --calls.plain_left;
  return true;
}

// What the ranks gained by such calls, and what the plain ones before tell of the network.
void hold_uneven_round(mpi::Communicator& communicator, policy::Backoff& backoff,
                       mpi::UnevenCalls& calls) {
  constexpr std::size_t rates = policy::CallRates::numbers;
  policy::CommonClock& clock = communicator.learned->clock;
  const bool is_due = !runtime::is_deterministic() && clock.is_due(mpi::own_seconds());
  std::array<double, 2 + 2 * rates> agreed{backoff.has_gained() ? 1.0 : 0.0, is_due ? 1.0 : 0.0};
  const std::span<double, rates> plain = std::span(agreed).subspan<2, rates>();
  const std::span<double, rates> compressed = std::span(agreed).subspan<2 + rates, rates>();
  std::ranges::copy(calls.plain.told(clock), plain.begin());
  std::ranges::copy(calls.compressed.told(clock), compressed.begin());
  agree(agreed, communicator);
  const policy::Network& known = communicator.network;
  const auto plain_rate = policy::CallRates::rate(plain, known.latency);
  backoff.end_round({agreed[0] > 0, policy::CallRates::sum(compressed, known.latency),
                     policy::CallRates::sum(plain, known.latency)});
  if (plain_rate) {
    policy::Network learned = known;
    learned.bandwidth = policy::learned_bandwidth(known, *plain_rate);
    learned.rough = false;
    hold(learned, communicator);
  }
  if (agreed[1] > 0) communicator.network.latency = mpi::align_clock(communicator, clock);
  calls.plain.clear();
  calls.compressed.clear();
}

// Of a network that is not known: what is moved goes as it is where its sender finds that it would
// not pay (plan/movement_plan.h). Nobody can find that of a reduction.
const policy::Network& expected_network(const mpi::Communicator& communicator,
                                        policy::Operation operation) {
  if (communicator.network.known()) return communicator.network;
  return policy::is_reduction(operation) ? policy::fast_network : policy::assumed_network;
}

// Of one that is carried out later.
bool is_faster_by_model(const CallKey& call_key, const mpi::Communicator& communicator) {
  policy::Facts facts = facts_with_helpers(call_key.operation, call_key.bytes, communicator);
  facts.in_usual_chunks = is_cut_as_usual(call_key.effective.settings, true);
  facts.network = expected_network(communicator, call_key.operation);
  const codec::Id codec = call_key.plan.codec;
  const policy::Speeds speeds = policy::speeds_of(
      codec, call_key.type, policy::typical_ratio(codec), communicator.learned->codec_time(codec));
  const policy::Schedule schedule =
      policy::schedule(call_key.effective.settings, call_key.plan, facts, speeds);
  return schedule.seconds < policy::gain_to_start * policy::raw_seconds(facts);
}

// Of a call that is no measure of its own.
Decision decide_by_what_is_known(const CallKey& call_key, mpi::Communicator& communicator,
                                 const policy::OnlineTuner& tuner) {
  const bool has_decided = tuner.has_decided() && !tuner.is_measuring();
  const bool compress = has_decided ? tuner.compress() : is_faster_by_model(call_key, communicator);
  return {compress ? &communicator : nullptr, nullptr, policy::Reason::too_slow, has_decided};
}

}  // namespace

// What receivers have said by a message is a matter of time, and whether it is compressed by what
// was gained.
bool may_remember() {
  return mpi::message_history() != nullptr && !runtime::is_deterministic();
}

policy::Facts facts_of(policy::Operation operation, std::size_t bytes,
                       const mpi::Communicator& communicator, double coding_speedup) {
  policy::Facts facts{operation, bytes, communicator.comparable_size(), communicator.network,
                      coding_speedup};
  facts.tree = communicator.size_of_tree();
  return facts;
}

policy::Facts facts_with_helpers(policy::Operation operation, std::size_t bytes,
                                 const mpi::Communicator& communicator) {
  const std::size_t at_once =
      policy::bytes_at_once(operation, bytes, communicator.comparable_size());
  return facts_of(operation, bytes, communicator,
                  runtime::coding_speedup_of(communicator.learned->coding_speedup, at_once));
}

Sampled sampled(double fraction, std::span<const std::byte> values, const codec::Encoding& encoding,
                codec::Id planned) {
  Sampled told{fraction};
  if (fraction * policy::OnlineTuner::least_ratio > 1) return told;
  if (encoding.codec->id() != planned) return told;
  told.codec_time = mpi::own_codec_time(values, encoding).value_or(told.codec_time);
  return told;
}

Decision decide(const CallKey& call_key, const CalledOn& on,
                const std::function<Sampled(mpi::Communicator&)>& sample) {
  if (call_key.plan.tier == policy::Tier::raw) return passing_through(call_key.plan.why);
  const auto [communicator, why] = usable_on(on);
  if (communicator == nullptr) return passing_through(why);
  if (!mpi::is_adaptive(*communicator, call_key.effective.settings.mode)) {
    // No times count.
    if (call_key.is_short) return passing_through(policy::Reason::small);
    return {communicator, nullptr, {}};
  }
  const std::size_t bytes = std::bit_floor(call_key.bytes);
  const policy::KindOfCall kind{call_key.operation, call_key.kind,
                                static_cast<unsigned>(std::bit_width(bytes)),
                                call_key.effective.hash};
  policy::OnlineTuner& tuner = tuner_of(*communicator, kind);
  if (on.in_background()) return decide_by_what_is_known(call_key, *communicator, tuner);
  const double scale = static_cast<double>(bytes) / static_cast<double>(call_key.bytes);
  if (may_be_short(call_key) && !tuner.has_decided()) {
    const auto small = call_key.is_short ? policy::Reason::small : policy::Reason::few;
    const ShortCall what = decide_short(call_key, *communicator, kind, tuner, on.comm());
    if (what == ShortCall::untimed) return passing_through(small);
    if (what == ShortCall::timed) {
      tuner.begin_call(mpi::own_seconds(), scale);
      return {nullptr, &tuner, small};
    }
  }
  if (tuner.round_due()) {
    hold_tuning_round(*communicator, tuner, call_key, bytes, sample(*communicator));
    keep(*communicator, kind, tuner);
  }
  runtime::is_deterministic() ? tuner.count_call() : tuner.begin_call(mpi::own_seconds(), scale);
  return {tuner.compress() ? communicator : nullptr, &tuner, why_not(tuner), true};
}

UnevenDecision decide_uneven(policy::Operation operation, const CalledOn& on) {
  const policy::SettingsResolver* const resolver = resolver_for(on);
  if (resolver == nullptr) return {nullptr, nullptr, policy::Reason::unhandled};
  if (resolver->all_raw()) return {nullptr, nullptr, policy::Reason::off};
  const auto [communicator, why] = usable_on(on);
  if (communicator == nullptr) return {nullptr, nullptr, why};
  if (!mpi::is_adaptive(*communicator, runtime::current().settings.mode))
    return {communicator, nullptr, policy::Reason::none};
  const bool times_count = !runtime::is_deterministic();
  policy::Backoff& backoff = backoff_of(*communicator, operation, may_remember(), times_count);
  if (on.in_background()) {
    return {backoff.is_seen_to_pause() ? nullptr : communicator, nullptr, backoff.why_plain()};
  }
  mpi::UnevenCalls& calls = communicator->learned->uneven[operation];
  if (measures_network(*communicator, calls)) {
    return {nullptr, nullptr, policy::Reason::measuring, communicator, &calls};
  }
  if (backoff.round_due()) {
    hold_uneven_round(*communicator, backoff, calls);
    keep(*communicator, operation, backoff);
  }
  const bool compress = backoff.begin_call();
  UnevenDecision decision{compress ? communicator : nullptr, &backoff, backoff.why_plain()};
  if (times_count && (compress || backoff.is_before_trial())) {
    decision.measured = communicator;
    decision.calls = &calls;
  }
  return decision;
}

const policy::SettingsResolver* resolver_for(const CalledOn& on) {
  // Ranks of two groups do not agree on names.
  const bool may_agree = on.may_wait() && !on.participants.are_between();
  return may_agree ? &mpi::agreed_resolver_of(on.comm()) : mpi::agreed_resolver_at_once(on.comm());
}

}  // namespace tightwire::collective
