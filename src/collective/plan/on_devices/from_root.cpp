#include "collective/plan/on_devices/from_root.h"

#include <array>

#include "collective/plan/on_devices/host_way.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/look.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/error.h"
#include "policy/choose.h"
#include "policy/device/cost.h"

namespace tightwire::collective {
namespace {

// Whether it may be worth it by the model, where that is to decide.
bool may_pay(const mpi::Communicator& communicator, settings::Mode mode, const FromRootCall& call,
             double ratio) {
  if (!mpi::is_adaptive(communicator, mode)) return true;
  if (!communicator.network.known()) return false;
  const policy::Facts facts{call.operation, call.bytes, communicator.size, communicator.network};
  const std::size_t chunks = policy::device_chunks(call.bytes);
  // A root that scatters encodes one message after the other.
  const int messages = call.operation == policy::Operation::scatter ? communicator.size : 2;
  const policy::DeviceSchedule schedule{policy::Algorithm::automatic, chunks,
                                        static_cast<double>(chunks) * messages};
  return policy::pays_on_devices(facts, schedule, ratio);
}

// At the root.
class RootPlanner {
 public:
  RootPlanner(const FromRootCall& call, const settings::Settings& settings,
              mpi::Communicator& communicator, FromRootOnDevices& plan)
      : call_(call),
        there_(mpi::coded_buffer_at(call.all)),
        settings_(settings),
        communicator_(communicator),
        plan_(plan) {}

  // Whether the GPU encodes all of it.
  bool make() {
    if (there_ == nullptr || !may_pay(communicator_, settings_.mode, call_, ratio())) return false;
    for (const mpi::Buffer& values : call_.sent) {
      // Of a scatter the root's own block stays with it.
      const bool stays = call_.sent.size() > 1 &&
                         plan_.sent.size() == static_cast<std::size_t>(communicator_.rank);
      if (stays) {
        plan_.sent.push_back({values});
      } else if (!take(values)) {
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

  bool take(const mpi::Buffer& values) {
    const auto type = mpi::predefined(values.datatype);
    const bool can = type && mpi::is_boundable(*type) && codec::is_floating_point(type->element) &&
                     there_->is_aligned_to(type->element);
    if (!can) return false;
    const bool relative = settings_.error_bound.kind == settings::ErrorBound::Kind::relative;
    const std::span image(static_cast<const std::byte*>(values.address), call_.bytes);
    const auto seen = mpi::look_at(*there_, type->element, image, relative);
    const auto bound = seen ? mpi::bound_by(*seen, settings_.error_bound) : std::nullopt;
    if (!bound) return false;
    plan_.sent.push_back(
        {values, mpi::encoding_for(settings_, codec::Id::bounded_device, type->element, *bound),
         seen->range});
    return true;
  }

  const FromRootCall& call_;
  std::shared_ptr<mpi::CodedBuffer> there_;
  const settings::Settings& settings_;
  mpi::Communicator& communicator_;
  FromRootOnDevices& plan_;
};

}  // namespace

std::optional<FromRootOnDevices> plan_from_root_on_devices(const FromRootCall& call,
                                                           const CalledOn& on) {
  const policy::SettingsResolver* const resolver = resolver_for(on);
  if (resolver == nullptr) return std::nullopt;
  const policy::EffectiveSettings& effective = resolver->common(call.operation, call.bytes);
  FromRootOnDevices made;
  made.operation = call.operation;
  made.bytes = call.bytes;
  made.plan = policy::choose(effective.settings, {call.operation, call.bytes, true});
  const bool is_for_devices =
      made.plan.tier == policy::Tier::bounded && made.plan.codec == codec::Id::bounded;
  const UsableCommunicator usable = is_for_devices ? usable_on(on) : UsableCommunicator{};
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
  const bool is_root = communicator.rank == call.root;
  const bool coded = is_root && RootPlanner(call, effective.settings, communicator, made).make();
  // What the root says, and what such calls took.
  std::array<double, 3> told{coded ? 1.0 : 0.0, past.seconds, past.host_seconds};
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, told.data(), 3, MPI_DOUBLE, MPI_MAX, on.comm()));
  if (told[0] == 0) {
    calls.give_up(kind);
    return std::nullopt;
  }
  if (!calls.is_worth(kind, by_times, told[1], told[2])) return std::nullopt;
  mpi::count_rule(effective);
  return made;
}

void note_from_root_on_devices(const FromRootOnDevices& plan, const Traffic& traffic) {
  // What others hand on is the root's.
  note_device_way(*plan.decision.communicator, kind_on_devices(plan.operation, plan.bytes),
                  plan.start, plan.sent.empty() ? Traffic{} : traffic);
}

}  // namespace tightwire::collective
