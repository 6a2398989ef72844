#include "collective/plan/bcast_on_devices.h"

#include <cmath>

#include "collective/plan/usable_communicator.h"
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

Kind kind_of(codec::ElementType type, std::size_t bytes) {
  return {static_cast<int>(policy::Operation::bcast), 0, type, bytes};
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
    if (!can || !may_pay(policy::best_device_ratio)) return false;
    const Kind kind = kind_of(element(), bytes_);
    policy::DeviceTrials& trials = calls().trials;
    if (!trials.begin(kind)) return false;
    const bool pays = may_pay(ratio(kind)) && finds_bound();
    trials.end(kind, pays);
    return pays;
  }

 private:
  [[nodiscard]] codec::ElementType element() const { return type_->element; }
  [[nodiscard]] mpi::CallsOnDevices& calls() const { return communicator_.learned->on_devices; }

  [[nodiscard]] double ratio(const Kind& kind) const {
    const auto last = calls().fractions.find(kind);
    return last == calls().fractions.end() ? policy::typical_ratio(codec::Id::bounded)
                                           : 1 / last->second;
  }
  // As for reductions (reduction_on_devices.cpp).
  [[nodiscard]] bool may_pay(double ratio) const {
    if (!mpi::is_adaptive(communicator_, settings_.mode)) return true;
    if (!communicator_.network.known()) return false;
    const policy::Facts facts{policy::Operation::bcast, bytes_, communicator_.size,
                              communicator_.network};
    const policy::DeviceSchedule schedule{policy::Algorithm::automatic, plan_.chunks,
                                          2.0 * static_cast<double>(plan_.chunks)};
    return policy::pays_on_devices(facts, schedule, ratio);
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
  const bool is_root = usable.communicator->rank == root;
  int coded = is_root && RootPlanner(buffer, effective.settings, *usable.communicator, made).make();
  mpi::check(PMPI_Bcast(&coded, 1, MPI_INT, root, on.comm()));
  if (coded == 0) return std::nullopt;
  mpi::count_rule(effective);
  made.start = std::chrono::steady_clock::now();
  return made;
}

void note_bcast_on_devices(const BcastOnDevices& plan, std::size_t bytes, const Traffic& traffic) {
  if (traffic.bytes_before == 0) return;
  plan.decision.communicator->learned->on_devices.fractions[kind_of(plan.encoding.type, bytes)] =
      static_cast<double>(traffic.bytes_after) / static_cast<double>(traffic.bytes_before);
}

}  // namespace tightwire::collective
