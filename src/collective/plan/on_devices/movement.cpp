#include "collective/plan/on_devices/movement.h"

#include <algorithm>
#include <array>

#include "collective/plan/on_devices/host_way.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/look.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/encoding/sample_choice.h"
#include "mpi/error.h"
#include "policy/choose.h"
#include "policy/device/cost.h"

namespace tightwire::collective {
namespace {

// Whether it may be worth it by the model, where that is to decide.
bool may_pay(const mpi::Communicator& communicator, settings::Mode mode, const MovementCall& call,
             double ratio) {
  if (!mpi::is_adaptive(communicator, mode)) return true;
  if (!communicator.network.known()) return false;
  const policy::Facts facts = facts_of(call.operation, call.bytes, communicator, 1);
  return policy::pays_on_devices(facts, policy::movement_schedule(facts), ratio);
}

bool is_for_devices(const policy::Plan& plan) {
  return plan.tier == policy::Tier::bounded && plan.codec == codec::Id::bounded;
}

// Of a rank that sends.
class SenderPlanner {
 public:
  SenderPlanner(const MovementCall& call, const policy::SettingsResolver& resolver,
                mpi::Communicator& communicator, MovementOnDevices& plan)
      : call_(call),
        there_(mpi::coded_buffer_at(call.image)),
        resolver_(resolver),
        communicator_(communicator),
        plan_(plan) {}

  // Whether the GPU encodes all of it.
  bool make() {
    for (const mpi::Buffer& values : call_.sent) {
      const bool stays = call_.sent.size() > 1 &&
                         plan_.sent.size() == static_cast<std::size_t>(communicator_.rank);
      if (stays) {
        plan_.sent.push_back({values});
      } else if (there_ == nullptr || !take(values)) {
        return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] double ratio() const {
    const policy::DeviceCallMemory& calls = communicator_.learned->on_devices;
    const double fraction = calls.of(kind_on_devices(call_.operation, call_.bytes)).fraction;
    return fraction > 0 ? 1 / fraction : policy::typical_ratio(codec::Id::bounded);
  }

  // What is in force for values of this type, which the others need not know.
  const settings::Settings* settings_of(codec::ElementType type) const {
    const settings::Settings& own =
        resolver_.of({call_.operation, call_.bytes, type, true, mpi::rules_at_call_site()})
            .settings;
    const policy::Plan plan = policy::choose(own, {call_.operation, call_.bytes, true});
    const bool may = is_for_devices(plan) && may_pay(communicator_, own.mode, call_, ratio());
    return may ? &own : nullptr;
  }

  bool take(const mpi::Buffer& values) {
    const auto type = mpi::predefined(values.datatype);
    const bool can = type && mpi::is_boundable(*type) && codec::is_floating_point(type->element) &&
                     there_->is_aligned_to(type->element);
    const settings::Settings* const own = can ? settings_of(type->element) : nullptr;
    if (own == nullptr) return false;
    const bool relative = own->error_bound.kind == settings::ErrorBound::Kind::relative;
    const std::span image(static_cast<const std::byte*>(values.address), call_.bytes);
    const auto seen = mpi::look_at(*there_, type->element, image, relative);
    const auto bound = seen ? mpi::bound_by(*seen, own->error_bound) : std::nullopt;
    if (!bound) return false;
    plan_.sent.push_back({values,
                          mpi::encoding_for(*own, codec::Id::bounded_device, type->element, *bound),
                          seen->range});
    return true;
  }

  const MovementCall& call_;
  std::shared_ptr<mpi::CodedBuffer> there_;
  const policy::SettingsResolver& resolver_;
  mpi::Communicator& communicator_;
  MovementOnDevices& plan_;
};

// Those of some type by which GPUs may code, else those common to all. Alike on all ranks.
const policy::EffectiveSettings& settings_for_devices(const policy::SettingsResolver& resolver,
                                                      const MovementCall& call) {
  const policy::EffectiveSettings& common = resolver.common(call.operation, call.bytes);
  const auto of = [&](codec::ElementType type) {
    return &resolver.of({call.operation, call.bytes, type, true, nullptr});
  };
  const std::array candidates{&common, of(codec::ElementType::float32),
                              of(codec::ElementType::float64)};
  const auto* const found = std::ranges::find_if(candidates, [&](const auto* effective) {
    return is_for_devices(policy::choose(effective->settings, {call.operation, call.bytes, true}));
  });
  return found == candidates.end() ? common : **found;
}

}  // namespace

std::optional<MovementOnDevices> plan_movement_on_devices(const MovementCall& call,
                                                          const CalledOn& on) {
  const policy::SettingsResolver* const resolver = resolver_for(on);
  if (resolver == nullptr || call.bytes == 0) return std::nullopt;
  const policy::EffectiveSettings& effective = settings_for_devices(*resolver, call);
  MovementOnDevices made;
  made.operation = call.operation;
  made.bytes = call.bytes;
  made.plan = policy::choose(effective.settings, {call.operation, call.bytes, true});
  const UsableCommunicator usable =
      is_for_devices(made.plan) ? usable_on(on) : UsableCommunicator{};
  if (usable.communicator == nullptr) return std::nullopt;
  made.decision.communicator = usable.communicator;
  made.plan.codec = codec::Id::bounded_device;
  made.chunks = policy::device_chunks(call.bytes);
  mpi::Communicator& communicator = *usable.communicator;
  const settings::Mode mode = effective.settings.mode;
  const bool by_times = goes_by_times(communicator, mode);
  policy::DeviceCallMemory& calls = communicator.learned->on_devices;
  const auto kind = kind_on_devices(call.operation, call.bytes);
  // Alike on all ranks, as is what comes of it.
  if (!may_pay(communicator, mode, call, policy::best_device_ratio)) return std::nullopt;
  if (!calls.begin(kind, by_times)) return std::nullopt;
  made.start = std::chrono::steady_clock::now();
  const policy::PastDeviceCalls past = calls.of(kind);
  const bool can = call.sent.empty() || SenderPlanner(call, *resolver, communicator, made).make();
  // Whether some sender cannot, and what such calls took.
  std::array<double, 3> told{can ? 0.0 : 1.0, past.seconds, past.host_seconds};
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, told.data(), 3, MPI_DOUBLE, MPI_MAX, on.comm()));
  if (told[0] != 0) {
    calls.give_up(kind);
    return std::nullopt;
  }
  if (!calls.is_worth(kind, by_times, told[1], told[2])) return std::nullopt;
  mpi::count_rule(effective);
  return made;
}

void note_movement_on_devices(const MovementOnDevices& plan, const Traffic& traffic) {
  // What others hand on is the senders'.
  note_device_way(*plan.decision.communicator, kind_on_devices(plan.operation, plan.bytes),
                  plan.start, plan.sent.empty() ? Traffic{} : traffic);
}

}  // namespace tightwire::collective
