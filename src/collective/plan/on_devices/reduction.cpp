#include "collective/plan/on_devices/reduction.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "collective/plan/agreed_settings.h"
#include "collective/plan/on_devices/host_way.h"
#include "collective/plan/reduction_encoding.h"
#include "collective/plan/usable_communicator.h"
#include "device/grids.h"
#include "device/stream.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/look.h"
#include "mpi/encoding/range.h"
#include "mpi/error.h"
#include "policy/choose.h"
#include "policy/device/cost.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

// What the ranks tell each other: of all numbers the largest over them counts.
struct Told {
  mpi::RangeExtremes range = mpi::extremes_of({});
  double elsewhere = 0;  // 1: not on a device, or the host must look at the values
  double fraction = 0;   // as of PastDeviceCalls
  double seconds = 0;
  double host_seconds = 0;
};
static_assert(sizeof(Told) == 8 * sizeof(double));

class DevicePlanner {
 public:
  DevicePlanner(const Reduction& reduction, const CalledOn& on,
                const policy::EffectiveSettings& effective, const policy::Plan& plan,
                std::vector<mpi::Part> segments, mpi::Communicator& communicator)
      : reduction_(reduction),
        on_(on),
        effective_(effective),
        settings_(effective.settings),
        plan_(plan),
        communicator_(communicator),
        segments_(segments.empty() ? mpi::even_parts(reduction.items(),
                                                     static_cast<std::size_t>(communicator.size))
                                   : std::move(segments)),
        adaptive_(mpi::is_adaptive(communicator, settings_.mode)),
        by_times_(goes_by_times(communicator, settings_.mode)),
        begin_(std::chrono::steady_clock::now()) {}

  std::optional<ReductionPlan> make(bool may_stay) {
    if (!may_pay(policy::best_device_ratio) || !calls().begin(kind(), by_times_)) {
      return std::nullopt;
    }
    codec::ValueRange own;
    const Told all = exchange(look(own, may_stay));
    const double ratio =
        all.fraction > 0 ? 1 / all.fraction : policy::typical_ratio(codec::Id::bounded);
    if (all.elsewhere != 0) {
      calls().refuse(kind());
      return std::nullopt;
    }
    if (!may_pay(ratio)) {
      calls().give_up(kind());
      return std::nullopt;
    }
    if (!calls().is_worth(kind(), by_times_, all.seconds, all.host_seconds)) return std::nullopt;
    auto made = plan_within(bound_of(own, mpi::range_of_all(all.range)), schedule_for(ratio));
    if (!made) calls().refuse(kind());
    return made;
  }

 private:
  [[nodiscard]] policy::DeviceCallMemory& calls() const {
    return communicator_.learned->on_devices;
  }
  [[nodiscard]] policy::DeviceTrials::Kind kind() const {
    return kind_on_devices(reduction_.operation, reduction_.bytes());
  }

  // The quickest by the model, of those that the settings allow.
  [[nodiscard]] policy::DeviceSchedule schedule_for(double ratio) const {
    const bool known = communicator_.network.known();
    const policy::Facts facts{reduction_.operation, reduction_.bytes(), communicator_.size,
                              known ? communicator_.network : policy::assumed_network};
    const auto ring =
        policy::ring_schedule(facts, mpi::longest_of(segments_) * reduction_.type.item_size);
    if (reduction_.operation != policy::Operation::allreduce ||
        settings_.algorithm == settings::Algorithm::ring) {
      return ring;
    }
    const auto doubling = policy::doubling_schedule(facts);
    if (settings_.algorithm == settings::Algorithm::recursive_doubling) return doubling;
    const bool is_quicker = policy::schedule_seconds(facts, doubling, ratio) <
                            policy::schedule_seconds(facts, ring, ratio);
    return is_quicker ? doubling : ring;
  }

  // By the model, where that is to decide; as long as the network is not known nothing is tried.
  [[nodiscard]] bool may_pay(double ratio) const {
    if (!adaptive_) return true;
    if (!communicator_.network.known()) return false;
    const policy::Facts facts{reduction_.operation, reduction_.bytes(), communicator_.size,
                              communicator_.network};
    return policy::pays_on_devices(facts, schedule_for(ratio), ratio);
  }

  [[nodiscard]] bool is_relative() const {
    return settings_.error_bound.kind == settings::ErrorBound::Kind::relative;
  }

  // This rank's part. A device that cannot look leaves it to the host.
  Told look(codec::ValueRange& own, bool may_stay) const {
    Told told;
    const policy::PastDeviceCalls past = calls().of(kind());
    told.fraction = past.fraction;
    told.seconds = past.seconds;
    told.host_seconds = past.host_seconds;
    const auto buffer = mpi::coded_buffer_at(reduction_.own.address);
    told.elsewhere = 1;
    const bool is_there =
        may_stay && buffer != nullptr && buffer->is_aligned_to(reduction_.type.element);
    if (!is_there) return told;
    if (is_relative()) {
      const auto seen = mpi::look_at(*buffer, reduction_.type.element, image(), true);
      if (!seen || seen->may_have_fill_values) return told;
      own = seen->range;
      told.range = mpi::extremes_of(own);
    }
    told.elsewhere = 0;
    return told;
  }

  [[nodiscard]] Told exchange(Told told) const {
    mpi::check(PMPI_Allreduce(MPI_IN_PLACE, &told, sizeof told / sizeof(double), MPI_DOUBLE,
                              MPI_MAX, on_.comm()));
    return told;
  }

  [[nodiscard]] std::optional<double> bound_of(const codec::ValueRange& own,
                                               const codec::ValueRange& range) const {
    if (!is_relative()) return settings_.error_bound.value;
    return mpi::bound_within(settings_.error_bound, reduction_.type.element, image(), own, range);
  }
  // Not the values: how many there are.
  [[nodiscard]] std::span<const std::byte> image() const {
    return {static_cast<const std::byte*>(reduction_.own.address), reduction_.bytes()};
  }

  std::optional<ReductionPlan> plan_within(std::optional<double> bound,
                                           const policy::DeviceSchedule& schedule) {
    if (!bound) return std::nullopt;
    ReductionPlan made;
    made.reduction = reduction_;
    made.decision.communicator = &communicator_;
    made.path = Path::flat;
    made.plan = plan_;
    made.plan.codec = codec::Id::bounded_device;
    made.plan.algorithm = schedule.algorithm;
    made.segments = schedule.algorithm == policy::Algorithm::ring
                        ? segments_
                        : mpi::even_parts(reduction_.items(), 1);
    made.chunks = schedule.chunks;
    const ReductionEncoding encoded =
        encoding_within(bound, reduction_, plan_, settings_, communicator_, communicator_.size);
    made.encoding = encoded.encoding;
    made.encoding.codec = codec::find(codec::Id::bounded_device);
    made.bound_of_result = encoded.bound_of_result;
    made.start = begin_;
    const codec::Parameters& by = made.encoding.parameters;
    const auto header = device::header_for_sums(made.encoding.type, by.error_bound, by.terms);
    if (!device::has_grid_of_profile(header)) return std::nullopt;
    mpi::count_rule(effective_);
    return made;
  }

  const Reduction& reduction_;
  const CalledOn& on_;
  const policy::EffectiveSettings& effective_;
  const settings::Settings& settings_;
  const policy::Plan& plan_;
  mpi::Communicator& communicator_;
  std::vector<mpi::Part> segments_;
  bool adaptive_;
  bool by_times_;
  std::chrono::steady_clock::time_point begin_;
};

// Known alike by all ranks.
bool is_for_devices(const Reduction& reduction, const policy::Plan& plan,
                    const settings::Settings& settings) {
  const bool is_left_open = settings.algorithm == settings::Algorithm::automatic ||
                            settings.algorithm == settings::Algorithm::ring ||
                            (settings.algorithm == settings::Algorithm::recursive_doubling &&
                             reduction.operation == policy::Operation::allreduce);
  return plan.tier == policy::Tier::bounded && plan.codec == codec::Id::bounded && is_left_open &&
         reduction.kind == mpi::ReductionKind::sum && reduction.boundable() &&
         codec::is_floating_point(reduction.type.element);
}

}  // namespace

std::optional<ReductionPlan> plan_reduction_on_devices(bool valid, bool may_stay,
                                                       policy::Operation operation,
                                                       const mpi::Buffer& own, MPI_Op op,
                                                       const CalledOn& on,
                                                       const std::vector<mpi::Part>& segments) {
  if (!valid || !may_be_on_devices(on)) return std::nullopt;
  const auto reduction = recognise(operation, own, op, on.comm());
  if (!reduction) return std::nullopt;
  const policy::CallFacts call{operation, reduction->bytes(), reduction->type.element};
  const policy::EffectiveSettings* const effective = agreed_settings(call, on);
  if (effective == nullptr) return std::nullopt;
  const policy::Plan plan = policy::choose(
      effective->settings,
      {operation, reduction->bytes(), reduction->boundable(), reduction->depends_on_order()});
  if (!is_for_devices(*reduction, plan, effective->settings)) return std::nullopt;
  const UsableCommunicator usable = usable_on(on);
  if (usable.communicator == nullptr) return std::nullopt;
  return DevicePlanner(*reduction, on, *effective, plan, segments, *usable.communicator)
      .make(may_stay);
}

void note_reduction_on_devices(const ReductionPlan& plan, const Traffic& traffic) {
  note_device_way(*plan.decision.communicator,
                  kind_on_devices(plan.reduction.operation, plan.reduction.bytes()), plan.start,
                  traffic);
}

}  // namespace tightwire::collective
