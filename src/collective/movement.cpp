#include "collective/movement.h"

#include "collective/bound.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

policy::Plan common_plan(policy::Operation operation, std::size_t bytes) {
  return policy::choose(runtime::current().settings, {operation, bytes, true});
}

SenderCoding sender_coding(policy::Operation operation, const std::optional<PredefinedType>& type,
                           std::span<const std::byte> values, Communicator& communicator) {
  const settings::Settings& settings = runtime::current().settings;
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const bool boundable = type && is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {operation, values.size(), boundable});
  std::optional<double> bound;
  if (plan.tier == policy::Tier::bounded) {
    bound = absolute_bound(settings, element, values, MPI_COMM_NULL);
    if (!bound) plan.codec = policy::exact_codec(settings);
  }
  // Frames are due, but nothing obliges them to be compressed.
  if (!communicator.pays(plan)) plan = {};
  Coding coding = coding_for(settings, plan.codec, element, bound.value_or(0));
  look_at(values, coding, communicator.estimates);
  return {plan, coding};
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
