#include "collective/plan/movement_plan.h"

#include "mpi/encoding/error_bound.h"
#include "policy/tuning/is_profitable.h"

namespace tightwire::collective {
namespace {

codec::ElementType element_of(const std::optional<mpi::PredefinedType>& type) {
  return type ? type->element : codec::ElementType::bytes;
}

// What the sender knows alone goes in: the type of its values and their range.
SenderEncoding encoding_by(policy::Operation operation, const settings::Settings& settings,
                           const std::optional<mpi::PredefinedType>& type,
                           std::span<const std::byte> values) {
  const codec::ElementType element = element_of(type);
  const bool boundable = type && mpi::is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {operation, values.size(), boundable});
  std::optional<double> bound;
  if (plan.tier == policy::Tier::bounded) {
    bound = mpi::absolute_bound(settings, element, values, MPI_COMM_NULL);
    if (!bound) plan.codec = policy::exact_codec(settings);
  }
  return {plan, mpi::encoding_for(settings, plan.codec, element, bound.value_or(0))};
}

// What this rank's own values promise. Nothing for none, and for those that would have to be packed
// first.
double promised_by(policy::Operation operation, const mpi::Buffer& own,
                   const policy::SettingsResolver& resolver) {
  const bool usable = own.address != nullptr && !own.in_place() && own.count > 0;
  const auto type = usable ? mpi::predefined(own.datatype) : std::nullopt;
  if (!type) return policy::Measurements::nothing;
  const std::span<const std::byte> values = own.host_bytes();
  const policy::EffectiveSettings& effective =
      resolver.of({operation, values.size(), element_of(type)});
  const SenderEncoding sender = encoding_by(operation, effective.settings, type, values);
  if (sender.plan.tier == policy::Tier::raw) return policy::Measurements::nothing;
  return mpi::promised_fraction(values, sender.encoding);
}

}  // namespace

MovementPlan plan_movement(policy::Operation operation, std::size_t bytes, const mpi::Buffer& own,
                           MPI_Comm comm) {
  MovementPlan plan;
  plan.operation = operation;
  plan.resolver = &mpi::agreed_resolver_of(comm);
  const policy::EffectiveSettings& effective = plan.resolver->common(operation, bytes);
  plan.plan = policy::choose(effective.settings, {operation, bytes, true});
  mpi::count_rule(effective);
  plan.decision = decide({operation, effective, plan.plan, bytes}, comm, [&](mpi::Communicator&) {
    return promised_by(operation, own, *plan.resolver);
  });
  plan.communicator = plan.decision.communicator;
  if (!plan.passes_through()) plan.start = std::chrono::steady_clock::now();
  return plan;
}

MovementPlan plan_uneven_if(bool valid, policy::Operation operation, MPI_Comm comm) {
  MovementPlan plan;
  if (!valid) return plan;
  plan.operation = operation;
  plan.resolver = &mpi::agreed_resolver_of(comm);
  plan.uneven = decide_uneven(operation, comm);
  plan.communicator = plan.uneven.communicator;
  if (!plan.passes_through()) plan.start = std::chrono::steady_clock::now();
  return plan;
}

policy::Plan MovementPlan::of_call(std::size_t bytes) const {
  return uneven.communicator != nullptr ? plan_message(*this, bytes).plan : plan;
}

MessagePlan plan_message(const MovementPlan& plan, std::size_t bytes) {
  if (bytes == 0) return {};
  const settings::Settings& settings = plan.resolver->common(plan.operation, bytes).settings;
  const policy::Plan common = policy::choose(settings, {plan.operation, bytes, true});
  return {common, policy::chunk_range(settings, common, bytes).usual()};
}

SenderEncoding sender_encoding(const MovementPlan& plan,
                               const std::optional<mpi::PredefinedType>& type,
                               std::span<const std::byte> values) {
  const mpi::Communicator& communicator = *plan.communicator;
  const policy::EffectiveSettings& effective =
      plan.resolver->of({plan.operation, values.size(), element_of(type)});
  SenderEncoding sender = encoding_by(plan.operation, effective.settings, type, values);
  const double ratio = mpi::look_at(values, sender.encoding);
  // Frames are due, but nothing obliges them to be compressed.
  if (mpi::is_adaptive(communicator, effective.settings.mode) &&
      !policy::is_profitable(sender.plan, ratio, communicator.network.bandwidth)) {
    sender.plan = {};
    sender.encoding.codec = codec::find(codec::Id::raw);
    sender.encoding.parameters = {};
  }
  return sender;
}

policy::Plan plan_seen(const policy::Plan& common, codec::Id tried) {
  policy::Plan plan = common;
  const codec::Codec* codec = codec::find(tried);
  if (codec == nullptr || tried == codec::Id::raw) return {};
  plan.codec = tried;
  plan.tier = codec->lossy() ? policy::Tier::bounded : policy::Tier::exact;
  return plan;
}

}  // namespace tightwire::collective
