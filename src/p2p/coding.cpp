#include "p2p/coding.h"

#include "collective/bound.h"
#include "p2p/engine.h"
#include "policy/choose.h"
#include "policy/pays.h"
#include "policy/speeds.h"
#include "runtime/runtime.h"

namespace tightwire::p2p {
namespace {

// Below this the gain is not worth the receiver's work.
constexpr double least_ratio = 1.05;

}  // namespace

MessageCoding coding_of(const std::optional<collective::PredefinedType>& type,
                        std::span<const std::byte> values) {
  const settings::Settings& settings = runtime::current().settings;
  const codec::ElementType element = type ? type->element : codec::ElementType::bytes;
  const bool boundable = type && collective::is_boundable(*type);
  policy::Plan plan = policy::choose(settings, {policy::Operation::send, values.size(), boundable});
  std::optional<double> bound;
  if (plan.tier == policy::Tier::bounded) {
    bound = collective::absolute_bound(settings, element, values, MPI_COMM_NULL);
    if (!bound) {
      plan.tier = policy::Tier::exact;
      plan.codec = policy::exact_codec(settings);
    }
  }
  plan.pipelined = false;
  if (engine().link > 0 && !policy::pays(plan, policy::typical_ratio(plan.codec), engine().link))
    plan = {};
  MessageCoding chosen{plan,
                       collective::coding_for(settings, plan.codec, element, bound.value_or(0))};
  chosen.plan.codec = plan.tier == policy::Tier::raw ? plan.codec : chosen.coding.codec->id();
  chosen.coding.parameters.least_ratio = least_ratio;
  return chosen;
}

}  // namespace tightwire::p2p
