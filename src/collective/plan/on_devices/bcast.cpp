#include "collective/plan/on_devices/bcast.h"

#include <array>
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

// Types are the root's alone.
Kind kind_of(std::size_t bytes) {
  return {static_cast<int>(policy::Operation::bcast), 0, codec::ElementType::bytes, bytes};
}

// Whether it may be worth it, where that is to decide: by the model, and by what such calls took;
// as for reductions (reduction.cpp).
bool may_pay(const mpi::Communicator& communicator, settings::Mode mode, std::size_t bytes,
             double ratio, double took) {
  if (!mpi::is_adaptive(communicator, mode)) return true;
  if (!communicator.network.known()) return false;
  const policy::Facts facts{policy::Operation::bcast, bytes, communicator.size,
                            communicator.network};
  const std::size_t chunks = policy::device_chunks(bytes);
  const policy::DeviceSchedule schedule{policy::Algorithm::automatic, chunks,
                                        2.0 * static_cast<double>(chunks)};
  return took < policy::staged_seconds(facts) && policy::pays_on_devices(facts, schedule, ratio);
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
    if (!calls().trials.begin(kind_of(bytes_))) return false;
    if (may_pay(ratio()) && finds_bound()) return true;
    calls().trials.end(kind_of(bytes_), false);
    return false;
  }

 private:
  [[nodiscard]] codec::ElementType element() const { return type_->element; }
  [[nodiscard]] policy::DeviceCallMemory& calls() const {
    return communicator_.learned->on_devices;
  }
  [[nodiscard]] double ratio() const {
    const double fraction = calls().of(kind_of(bytes_)).fraction;
    return fraction > 0 ? 1 / fraction : policy::typical_ratio(codec::Id::bounded);
  }
  [[nodiscard]] bool may_pay(double ratio) const {
    return collective::may_pay(communicator_, settings_.mode, bytes_, ratio, 0);
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
  const bool is_root = communicator.rank == root;
  made.start = std::chrono::steady_clock::now();
  policy::DeviceCallMemory& calls = communicator.learned->on_devices;
  const Kind kind = kind_of(bytes);
  const bool coded = is_root && RootPlanner(buffer, effective.settings, communicator, made).make();
  // What the root says, and what such calls took.
  std::array<double, 2> told{coded ? 1.0 : 0.0, calls.of(kind).seconds};
  mpi::check(PMPI_Allreduce(MPI_IN_PLACE, told.data(), 2, MPI_DOUBLE, MPI_MAX, on.comm()));
  const bool pays = told[0] != 0 && may_pay(communicator, effective.settings.mode, bytes,
                                            policy::best_device_ratio, told[1]);
  // How long it takes has to show first.
  const bool is_judged = told[1] != 0 || !mpi::is_adaptive(communicator, effective.settings.mode);
  if (coded && (!pays || is_judged)) calls.trials.end(kind, pays);
  if (!pays) {
    calls.forget_seconds(kind);
    return std::nullopt;
  }
  mpi::count_rule(effective);
  return made;
}

void note_bcast_on_devices(const BcastOnDevices& plan, std::size_t bytes, const Traffic& traffic) {
  policy::DeviceCallMemory& calls = plan.decision.communicator->learned->on_devices;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - plan.start;
  if (!runtime::is_deterministic()) calls.note_seconds(kind_of(bytes), took.count());
  const bool is_root = plan.encoding.codec != nullptr;
  if (!is_root || traffic.bytes_before == 0) return;
  calls.note_fraction(kind_of(bytes), static_cast<double>(traffic.bytes_after) /
                                          static_cast<double>(traffic.bytes_before));
}

}  // namespace tightwire::collective
