#include "collective/plan/movement_plan.h"

#include "mpi/encoding/error_bound.h"
#include "policy/tuning/is_profitable.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

codec::ElementType element_of(const std::optional<mpi::PredefinedType>& type) {
  return type ? type->element : codec::ElementType::bytes;
}

// What the sender knows alone goes in: the type of its values and their range.
SenderEncoding planned_encoding(policy::Operation operation, const settings::Settings& settings,
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

}  // namespace

policy::Plan common_plan(policy::Operation operation, std::size_t bytes, MPI_Comm comm) {
  const policy::EffectiveSettings& effective =
      mpi::agreed_resolver_of(comm).common(operation, bytes);
  return policy::choose(effective.settings, {operation, bytes, true});
}

SenderEncoding sender_encoding(policy::Operation operation,
                               const std::optional<mpi::PredefinedType>& type,
                               std::span<const std::byte> values, mpi::Communicator& communicator) {
  const policy::SettingsResolver& resolver = mpi::agreed_resolver_of(communicator.user);
  const policy::EffectiveSettings& effective =
      resolver.of({operation, values.size(), element_of(type)});
  SenderEncoding sender = planned_encoding(operation, effective.settings, type, values);
  const double ratio = mpi::look_at(values, sender.encoding, communicator.learned->estimates);
  // Frames are due, but nothing obliges them to be compressed.
  if (mpi::is_adaptive(communicator, effective.settings.mode) &&
      !policy::is_profitable(sender.plan, ratio, communicator.network.bandwidth)) {
    sender.plan = {};
    sender.encoding.codec = codec::find(codec::Id::raw);
    sender.encoding.parameters = {};
  }
  return sender;
}

double promised_by(policy::Operation operation, const mpi::Buffer& own, MPI_Comm comm) {
  const bool usable = own.address != nullptr && !own.in_place() && own.count > 0;
  const auto type = usable ? mpi::predefined(own.datatype) : std::nullopt;
  if (!type) return policy::Measurements::nothing;
  const std::span<const std::byte> values = own.host_bytes();
  const policy::EffectiveSettings& effective =
      mpi::agreed_resolver_of(comm).of({operation, values.size(), element_of(type)});
  const SenderEncoding sender = planned_encoding(operation, effective.settings, type, values);
  if (sender.plan.tier == policy::Tier::raw) return policy::Measurements::nothing;
  return mpi::promised_fraction(values, sender.encoding);
}

Decision decide_movement(policy::Operation operation, std::size_t bytes, const mpi::Buffer& own,
                         MPI_Comm comm) {
  const policy::EffectiveSettings& effective =
      mpi::agreed_resolver_of(comm).common(operation, bytes);
  return decide({operation, effective, common_plan(operation, bytes, comm), bytes}, comm,
                [&](mpi::Communicator&) { return promised_by(operation, own, comm); });
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
