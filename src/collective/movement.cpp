#include "collective/movement.h"

#include "collective/bound.h"
#include "policy/pays.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

codec::ElementType element_of(const std::optional<PredefinedType>& type) {
  return type ? type->element : codec::ElementType::bytes;
}

// What the sender knows alone goes in: the type of its values and their range.
SenderCoding planned_coding(policy::Operation operation, const settings::Settings& settings,
                            const std::optional<PredefinedType>& type,
                            std::span<const std::byte> values) {
  const codec::ElementType element = element_of(type);
  const bool boundable = type && is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {operation, values.size(), boundable});
  std::optional<double> bound;
  if (plan.tier == policy::Tier::bounded) {
    bound = absolute_bound(settings, element, values, MPI_COMM_NULL);
    if (!bound) plan.codec = policy::exact_codec(settings);
  }
  return {plan, coding_for(settings, plan.codec, element, bound.value_or(0))};
}

}  // namespace

policy::Plan common_plan(policy::Operation operation, std::size_t bytes, MPI_Comm comm) {
  const policy::InForce& in_force = runtime::agreed_guide_of(comm).common(operation, bytes);
  return policy::choose(in_force.settings, {operation, bytes, true});
}

SenderCoding sender_coding(policy::Operation operation, const std::optional<PredefinedType>& type,
                           std::span<const std::byte> values, Communicator& communicator) {
  const policy::Guide& guide = runtime::agreed_guide_of(communicator.user);
  const policy::InForce& in_force = guide.of({operation, values.size(), element_of(type)});
  SenderCoding sender = planned_coding(operation, in_force.settings, type, values);
  const double ratio = look_at(values, sender.coding, communicator.estimates);
  // Frames are due, but nothing obliges them to be compressed.
  if (is_adaptive(communicator, in_force.settings.mode) &&
      !policy::pays(sender.plan, ratio, communicator.network.bandwidth)) {
    sender.plan = {};
    sender.coding.codec = codec::find(codec::Id::raw);
    sender.coding.parameters = {};
  }
  return sender;
}

double promised_by(policy::Operation operation, const UserBuffer& own, MPI_Comm comm) {
  const bool usable = own.address != nullptr && own.address != MPI_IN_PLACE && own.count > 0;
  const auto type = usable ? predefined(own.datatype) : std::nullopt;
  if (!type) return policy::Findings::nothing;
  const std::span values(static_cast<const std::byte*>(own.address), own.bytes());
  const policy::InForce& in_force =
      runtime::agreed_guide_of(comm).of({operation, values.size(), element_of(type)});
  const SenderCoding sender = planned_coding(operation, in_force.settings, type, values);
  if (sender.plan.tier == policy::Tier::raw) return policy::Findings::nothing;
  return promised_fraction(values, sender.coding);
}

Judgement judge_movement(policy::Operation operation, std::size_t bytes, const UserBuffer& own,
                         MPI_Comm comm) {
  const policy::InForce& in_force = runtime::agreed_guide_of(comm).common(operation, bytes);
  return judge({operation, in_force, common_plan(operation, bytes, comm), bytes}, comm,
               [&](Communicator&) { return promised_by(operation, own, comm); });
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
