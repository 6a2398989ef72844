#include "collective/plan/movement_plan.h"

#include <algorithm>
#include <array>

#include "collective/plan/choice_facts.h"
#include "collective/plan/decision/short_call.h"
#include "collective/plan/route_of_message.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/encoding/range.h"
#include "mpi/encoding/sample_choice.h"
#include "policy/cost/schedule.h"
#include "policy/thresholds.h"
#include "runtime/crew/together.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

policy::Plan raw_plan(policy::Reason why) {
  policy::Plan plan;
  plan.why = why;
  return plan;
}

codec::ElementType element_of(const std::optional<mpi::PredefinedType>& type) {
  return type ? type->element : codec::ElementType::bytes;
}

// As all ranks know it.
policy::Call call_of(const MovementPlan& plan, std::size_t bytes) {
  return {plan.operation, bytes, true, false, plan.is_timed};
}

// What the sender knows alone goes in: the type of its values, ...
policy::Plan planned_for(policy::Call call, const settings::Settings& settings,
                         const std::optional<mpi::PredefinedType>& type) {
  call.boundable = type && mpi::is_boundable(*type);
  return policy::choose(settings, call);
}

// ... and their range.
SenderEncoding encoding_by(policy::Plan plan, const settings::Settings& settings,
                           codec::ElementType element, std::span<const std::byte> values) {
  std::optional<double> bound;
  if (plan.tier == policy::Tier::bounded) {
    bound = mpi::absolute_bound(settings, element, values, MPI_COMM_NULL);
    if (!bound) {
      plan.tier = policy::Tier::exact;
      plan.codec = policy::exact_codec(settings);
    }
  }
  return {plan, mpi::encoding_for(settings, plan.codec, element, bound.value_or(0))};
}

// Whether a sample may say by which codec the sender's values go; frames tell receivers.
bool is_left_to_samples(const SenderEncoding& sender, const settings::Settings& settings) {
  return settings::is_adaptive(settings.mode) && sender.plan.tier != policy::Tier::raw &&
         policy::is_left_to_samples(settings, sender.plan.codec);
}

double link_of(const MovementPlan& plan, const OfferedEncoding& offered) {
  const double known = known_link(plan, offered);
  return known > 0 ? known : policy::assumed_network.bandwidth / offered.transfers;
}

// Where the ranks have agreed to compress, they have reckoned with it.
double counted_look(const MovementPlan& plan, const OfferedEncoding& offered) {
  if (plan.decision.tuner != nullptr) return 0;
  const double raw_seconds = static_cast<double>(offered.bytes) / link_of(plan, offered);
  const double speedup = runtime::agreed_coding_speedup(offered.bytes);
  return policy::look_on_trial(mpi::look_seconds(offered.bytes, speedup), raw_seconds);
}

mpi::Reviewed reviewed(const MovementPlan& plan) {
  return mpi::Reviewed{plan.decision.tuner != nullptr};
}

// The quickest of the exact codecs, and of the planned one with and without its second stage.
void choose_by_sample(OfferedEncoding& offered, const MovementPlan& plan,
                      std::span<const std::byte> values) {
  const mpi::SampleChoice choice = mpi::choose_by_sample(
      values, *offered.settings, choice_facts(plan, offered, link_of(plan, offered)),
      offered.sender.encoding, reviewed(plan));
  offered.is_sampled = true;
  offered.ratio = choice.planned_ratio;
  offered.quickest_ratio = choice.ratio;
  if (!choice.encoding) return;
  offered.quickest = {offered.sender.plan, *choice.encoding};
  const codec::Codec& codec = *choice.encoding->codec;
  offered.quickest.plan.codec = codec.id();
  offered.quickest.plan.tier = codec.lossy() ? policy::Tier::bounded : policy::Tier::exact;
}

// What all ranks know alike when they take a chunk's place. Of what is carried out later they may
// know more of the network by then, some of them, and it may outlive what was learned on its
// communicator.
policy::Facts known_to_all(const MovementPlan& plan, const settings::Settings& settings,
                           std::size_t bytes) {
  const mpi::Communicator& on = *plan.communicator;
  policy::Facts facts = plan.in_background ? facts_of(plan.operation, bytes, on, 1)
                                           : facts_with_helpers(plan.operation, bytes, on);
  facts.in_usual_chunks = is_cut_as_usual(settings, plan.in_background);
  // Of a v-operation nobody knows how long the other messages are.
  if (plan.uneven.communicator != nullptr) facts.ranks = 2;
  return facts;
}

// Of the values' type the sender alone knows. What is carried out later may outlive what was
// learned on its communicator.
policy::Speeds speeds_for_all(const MovementPlan& plan, codec::Id codec) {
  const mpi::Learned* const learned = plan.in_background ? nullptr : plan.communicator->learned;
  return policy::speeds_of(codec, codec::ElementType::float32, plan.decision.ratio(codec),
                           learned == nullptr ? 1 : learned->codec_time(codec));
}

// What this rank's own values tell. Nothing for none, and for those that would have to be packed
// first.
Sampled sampled_of(const MovementPlan& plan, const mpi::Buffer& own) {
  const bool usable = own.address != nullptr && !own.in_place() && own.count > 0;
  const auto type = usable ? mpi::predefined(own.datatype) : std::nullopt;
  if (!type) return {};
  const std::span<const std::byte> values = own.host_bytes();
  const policy::EffectiveSettings& effective =
      plan.resolver->of({plan.operation, values.size(), element_of(type), true, plan.at_place});
  const SenderEncoding sender =
      encoding_by(planned_for(call_of(plan, values.size()), effective.settings, type),
                  effective.settings, element_of(type), values);
  if (sender.plan.tier == policy::Tier::raw) return {};
  const codec::Id planned = sender.encoding.codec->id();
  const double fraction =
      is_left_to_samples(sender, effective.settings)
          ? mpi::promised_fraction(values, sender.encoding, policy::candidates_beside(planned))
          : mpi::promised_fraction(values, sender.encoding, std::array{planned});
  return sampled(fraction, values, sender.encoding, plan.plan.codec);
}

// A rule for another place of the program than this rank's caller is not met by it, though all
// ranks go by it together.
bool is_for_place(const policy::EffectiveSettings& effective, const std::vector<bool>* at_place) {
  if (effective.rule == 0 || at_place == nullptr) return true;
  const std::size_t index = effective.rule - 1;
  return !runtime::current().rules[index].goes_by_place() || (*at_place)[index];
}

}  // namespace

MovementPlan plan_movement(policy::Operation operation, std::size_t bytes, const mpi::Buffer& own,
                           const CalledOn& on) {
  MovementPlan plan;
  plan.operation = operation;
  plan.in_background = on.in_background();
  plan.resolver = resolver_for(on);
  if (plan.resolver == nullptr) return plan;
  plan.at_place = mpi::rules_at_call_site();
  plan.is_timed = is_timed(on);
  const policy::EffectiveSettings& effective = plan.resolver->common(operation, bytes);
  const policy::Call call = call_of(plan, bytes);
  plan.plan = policy::choose(effective.settings, call);
  if (is_for_place(effective, plan.at_place)) mpi::count_rule(effective);
  CallKey key{operation, effective, plan.plan, bytes};
  key.is_short = policy::is_short(effective.settings, call);
  key.is_timed = plan.is_timed;
  plan.decision = decide(key, on, [&](mpi::Communicator&) { return sampled_of(plan, own); });
  plan.communicator = plan.decision.communicator;
  plan.why = plan.decision.why;
  if (!plan.passes_through() && plan.plan.tier != policy::Tier::raw) {
    // Why senders may leave it unencoded: the ranks have agreed that a sample promises something.
    const bool promised = plan.decision.tuner != nullptr;
    plan.plan.why = promised ? policy::Reason::too_slow : policy::Reason::no_gain;
  }
  if (!plan.passes_through()) plan.start = std::chrono::steady_clock::now();
  return plan;
}

MovementPlan plan_uneven_if(bool valid, policy::Operation operation, const CalledOn& on) {
  MovementPlan plan;
  if (!valid) return plan;
  plan.operation = operation;
  plan.in_background = on.in_background();
  plan.resolver = resolver_for(on);
  plan.at_place = mpi::rules_at_call_site();
  plan.uneven = decide_uneven(operation, on);
  plan.communicator = plan.uneven.communicator;
  plan.why = plan.uneven.why;
  if (!plan.passes_through()) plan.start = std::chrono::steady_clock::now();
  return plan;
}

policy::Plan MovementPlan::of_call(std::size_t bytes) const {
  if (uneven.communicator == nullptr) return plan;
  policy::Plan of_message = plan_message(*this, bytes).plan;
  // Why senders may leave it unencoded: nobody has looked at it for all of them.
  if (of_message.tier != policy::Tier::raw) of_message.why = policy::Reason::no_gain;
  return of_message;
}

MessagePlan plan_message(const MovementPlan& plan, std::size_t bytes) {
  if (bytes == 0) return {};
  const settings::Settings& settings = plan.resolver->common(plan.operation, bytes).settings;
  const policy::Plan common = policy::choose(settings, call_of(plan, bytes));
  const policy::HandedOn moved =
      policy::moved(policy::chunk_range(settings, common, bytes),
                    known_to_all(plan, settings, bytes), speeds_for_all(plan, common.codec));
  // In one chunk, it would not be known what follows a damaged frame.
  const bool may_be_unframed =
      plan.in_background && moved.chunks > 1 && mpi::is_adaptive(*plan.communicator, settings.mode);
  return {common, moved, may_be_unframed};
}

OfferedEncoding unlooked_encoding(const MovementPlan& plan,
                                  const std::optional<mpi::PredefinedType>& type,
                                  std::size_t bytes) {
  const codec::ElementType element = element_of(type);
  const policy::EffectiveSettings& effective =
      plan.resolver->of({plan.operation, bytes, element, true, plan.at_place});
  const settings::Settings& settings = effective.settings;
  OfferedEncoding offered;
  offered.settings = &settings;
  offered.bytes = bytes;
  policy::Plan& planned = offered.sender.plan;
  planned = planned_for(call_of(plan, bytes), settings, type);
  offered.sender.encoding = mpi::encoding_for(settings, planned.codec, element, 0);
  offered.transfers = transfers_of(plan, bytes);
  offered.links = links_of(plan);
  offered.receivers = receivers_of(plan);
  offered.senders = senders_of(plan);
  offered.remembers = settings.history != settings::History::off;
  offered.is_optional = mpi::is_adaptive(*plan.communicator, settings.mode);
  offered.looks = policy::looks_for_range(settings, planned);
  if (offered.looks) offered.look_seconds = counted_look(plan, offered);
  return offered;
}

void look_at(const MovementPlan& plan, std::span<const std::byte> values,
             OfferedEncoding& offered) {
  const settings::Settings& settings = *offered.settings;
  offered.sender = encoding_by(offered.sender.plan, settings, offered.sender.encoding.type, values);
  if (offered.is_optional && is_left_to_samples(offered.sender, settings)) {
    choose_by_sample(offered, plan, values);
  } else {
    offered.ratio = mpi::look_at(values, offered.sender.encoding);
  }
}

std::optional<double> ratio_known_to_go_raw(const MovementPlan& plan,
                                            const OfferedEncoding& offered,
                                            std::span<const std::byte> values) {
  if (!offered.looks || !offered.is_optional) return std::nullopt;
  if (!is_left_to_samples(offered.sender, *offered.settings)) return std::nullopt;
  return mpi::ratio_known_to_go_raw(values, choice_facts(plan, offered, link_of(plan, offered)),
                                    offered.sender.encoding, reviewed(plan));
}

void leave_raw(OfferedEncoding& offered, double ratio) {
  offered.is_sampled = true;
  offered.ratio = ratio;
}

double known_link(const MovementPlan& plan, const OfferedEncoding& offered) {
  const double known = plan.communicator->network.bandwidth;
  const double bandwidth =
      plan.in_background ? std::max(known, policy::fast_network.bandwidth) : known;
  return bandwidth / offered.transfers;
}

SenderEncoding settled(const MovementPlan& plan, const OfferedEncoding& offered) {
  const bool is_quickest =
      offered.is_sampled ? offered.quickest.plan.tier != policy::Tier::raw
                         : policy::is_profitable(offered.sender.plan, offered.ratio,
                                                 passage_of(plan, offered, link_of(plan, offered)));
  if (!offered.is_optional || is_quickest) {
    return offered.is_sampled ? offered.quickest : offered.sender;
  }
  const auto why = offered.ratio > 1 ? policy::Reason::too_slow : policy::Reason::no_gain;
  return {raw_plan(why), {codec::find(codec::Id::raw), offered.sender.encoding.type, {}}};
}

policy::Plan plan_seen(const policy::Plan& common, codec::Id tried) {
  policy::Plan plan = common;
  const codec::Codec* codec = codec::find(tried);
  if (codec == nullptr || tried == codec::Id::raw) return raw_plan(common.why);
  plan.codec = tried;
  plan.tier = codec->lossy() ? policy::Tier::bounded : policy::Tier::exact;
  return plan;
}

}  // namespace tightwire::collective
