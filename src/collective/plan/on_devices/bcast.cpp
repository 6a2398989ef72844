#include "collective/plan/on_devices/bcast.h"

#include <array>
#include <cmath>

#include "collective/plan/on_devices/host_way.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/look.h"
#include "mpi/encoding/error_bound.h"
#include "mpi/error.h"
#include "policy/choose.h"
#include "policy/device/cost.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

using Kind = policy::DeviceTrials::Kind;

// Whether it may be worth it by the model, where that is to decide.
bool may_pay(const mpi::Communicator& communicator, settings::Mode mode, std::size_t bytes,
             double ratio) {
  if (!mpi::is_adaptive(communicator, mode)) return true;
  if (!communicator.network.known()) return false;
  const policy::Facts facts{policy::Operation::bcast, bytes, communicator.size,
                            communicator.network};
  const std::size_t chunks = policy::device_chunks(bytes);
  const policy::DeviceSchedule schedule{policy::Algorithm::automatic, chunks,
                                        2.0 * static_cast<double>(chunks)};
  return policy::pays_on_devices(facts, schedule, ratio);
}

// At the root.
class RootPlanner {
 public:
  RootPlanner(const mpi::Buffer& buffer, const settings::Settings& settings,
              mpi::Communicator& communicator, BcastOnDevices& plan)
      : bytes_(buffer.bytes()),
        type_(mpi::predefined(buffer.datatype)),
        there_(mpi::coded_buffer_at(buffer.address)),
        settings_(settings),
        communicator_(communicator),
        plan_(plan) {}

  // Whether the GPU encodes it.
  bool make() {
    const bool can = there_ != nullptr && type_ && mpi::is_boundable(*type_) &&
                     codec::is_floating_point(element()) && there_->is_aligned_to(element());
    return can && may_pay(communicator_, settings_.mode, bytes_, ratio()) && finds_bound();
  }

 private:
  [[nodiscard]] codec::ElementType element() const { return type_->element; }
  [[nodiscard]] double ratio() const {
    const policy::DeviceCallMemory& calls = communicator_.learned->on_devices;
    const double fraction = calls.of(kind_on_devices(policy::Operation::bcast, bytes_)).fraction;
    return fraction > 0 ? 1 / fraction : policy::typical_ratio(codec::Id::bounded);
  }

  bool finds_bound() {
    const bool relative = settings_.error_bound.kind == settings::ErrorBound::Kind::relative;
    const auto seen = mpi::look_at(*there_, element(), bytes_, relative);
    if (!seen || seen->may_have_fill_values) return false;
    plan_.range = seen->range;
    const double bound =
        relative ? settings_.error_bound.value * seen->range.width() : settings_.error_bound.value;
    if (!std::isnormal(bound)) return false;
    plan_.encoding = mpi::encoding_for(settings_, codec::Id::bounded_device, element(), bound);
    return true;
  }

  std::size_t bytes_;
  std::optional<mpi::PredefinedType> type_;
  std::shared_ptr<mpi::CodedBuffer> there_;
  const settings::Settings& settings_;
  mpi::Communicator& communicator_;
  BcastOnDevices& plan_;
};

}  // namespace

std::optional<BcastOnDevices> plan_bcast_on_devices(bool valid, const mpi::Buffer& buffer, int root,
                                                    const CalledOn& on) {
  if (!valid || !may_be_on_devices(on)) return std::nullopt;
  const policy::SettingsResolver* const resolver = resolver_for(on);
  if (resolver == nullptr) return std::nullopt;
  constexpr auto operation = policy::Operation::bcast;
  const std::size_t bytes = buffer.bytes();
  const policy::EffectiveSettings& effective = resolver->common(operation, bytes);
  BcastOnDevices made;
  made.plan = policy::choose(effective.settings, {operation, bytes, true});
  const bool is_for_devices =
      made.plan.tier == policy::Tier::bounded && made.plan.codec == codec::Id::bounded;
  const UsableCommunicator usable = is_for_devices ? usable_on(on) : UsableCommunicator{};
  if (usable.communicator == nullptr) return std::nullopt;
  made.decision.communicator = usable.communicator;
  made.plan.codec = codec::Id::bounded_device;
  made.chunks = policy::device_chunks(bytes);
  mpi::Communicator& communicator = *usable.communicator;
  const settings::Mode mode = effective.settings.mode;
  const bool by_times = mpi::is_adaptive(communicator, mode) && !runtime::is_deterministic();
  policy::DeviceCallMemory& calls = communicator.learned->on_devices;
  const Kind kind = kind_on_devices(operation, bytes);
  // Alike on all ranks, as is what comes of it.
  if (!may_pay(communicator, mode, bytes, policy::best_device_ratio)) return std::nullopt;
  if (by_times && calls.is_hosts_turn(kind)) return std::nullopt;
  if (!calls.trials.begin(kind)) return std::nullopt;
  made.start = std::chrono::steady_clock::now();
  const policy::PastDeviceCalls past = calls.of(kind);
  const bool is_root = communicator.rank == root;
  const bool coded = is_root && RootPlanner(buffer, effective.settings, communicator, made).make();
  // What the root says, and what such calls took.
  std::array<double, 3> told{coded ? 1.0 : 0.0, past.seconds, past.host_seconds};
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, told.data(), 3, MPI_DOUBLE, MPI_MAX, on.comm()));
  const bool pays = told[0] != 0 && !(by_times && told[1] > told[2]);
  // How long it takes has to show first.
  if (!pays || !by_times || told[1] != 0) calls.trials.end(kind, pays);
  if (!pays) {
    calls.forget_seconds(kind);
    return std::nullopt;
  }
  mpi::count_rule(effective);
  return made;
}

void note_bcast_on_devices(const BcastOnDevices& plan, std::size_t bytes, const Traffic& traffic) {
  const Kind kind = kind_on_devices(policy::Operation::bcast, bytes);
  policy::DeviceCallMemory& calls = plan.decision.communicator->learned->on_devices;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - plan.start;
  calls.note_call(kind, took.count());
  const bool is_root = plan.encoding.codec != nullptr;
  if (!is_root || traffic.bytes_before == 0) return;
  calls.note_fraction(
      kind, static_cast<double>(traffic.bytes_after) / static_cast<double>(traffic.bytes_before));
}

}  // namespace tightwire::collective
