#include "collective/multilane/lane_reduction.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "collective/multilane/lane_reducer.h"
#include "collective/reduce/ring.h"
#include "policy/choose.h"

namespace tightwire::collective {
namespace {

using Slices = std::vector<std::vector<mpi::Part>>;

// The message in a segment for each host, each with a slice for each lane.
Slices cut(std::size_t items, const mpi::NodeLanes& lanes) {
  Slices slices;
  for (const mpi::Part& segment : even_segments(items, lanes.ranks.size())) {
    std::vector<mpi::Part>& parts = slices.emplace_back(static_cast<std::size_t>(lanes.locals()));
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes.count); ++lane) {
      parts[lane] = mpi::part_of(segment, static_cast<std::size_t>(lanes.count), lane);
    }
  }
  return slices;
}

Slices given(const std::vector<mpi::Part>& segments, const mpi::NodeLanes& lanes) {
  Slices slices;
  for (const std::vector<int>& ranks : lanes.ranks) {
    std::vector<mpi::Part>& parts = slices.emplace_back();
    for (const int rank : ranks) parts.push_back(segments[static_cast<std::size_t>(rank)]);
  }
  return slices;
}

std::size_t longest(const Slices& slices) {
  std::size_t most = 0;
  for (const std::vector<mpi::Part>& segment : slices)
    most = std::max(most, longest_segment(segment));
  return most;
}

class LaneWork {
 public:
  LaneWork(const LaneReduction& call, Slices slices, Work& work)
      : call_(call),
        work_(work),
        lanes_(*call.plan.decision.communicator->lanes()),
        message_(message_of(call, std::move(slices))),
        prepared_(prepare_reducer(call.reduction, call.plan, call.own,
                                  mpi::longest_part(longest(message_.slices), message_.chunks),
                                  call.plan.decision.communicator->size + lanes_.hosts() - 1)),
        stage_(std::make_unique<HostStage>(lanes_, *prepared_.reducer, message_, work.health)) {
    // Frames cross from one to the other.
    lanes_.inside.calls = lanes_.lane.calls = call.plan.decision.communicator->calls;
    work.plan.algorithm = policy::Algorithm::ring;
    // NOLINTNEXTLINE(clang-analyzer-optin.cplusplus.UninitializedObject): stage_ is, just above
    work.largest_bound = prepared_.bound_of_result;
  }

  [[nodiscard]] mpi::NodeLanes& lanes() { return lanes_; }
  [[nodiscard]] HostStage& stage() { return *stage_; }
  [[nodiscard]] bool last(ChunkPlace place) const { return place.chunk + 1 == message_.chunks; }

  [[nodiscard]] wire::Unpacked expand(std::span<const std::byte> frame, std::uint32_t sequence,
                                      std::span<std::byte> values) {
    return prepared_.reducer->finish(frame, sequence, values);
  }

  // Runs `ring(lane, reducer, message)` on this rank's lane.
  template <class Ring>
  void on_lane(LaneReducer::Finish finish, Ring&& ring) {
    LaneReducer reducer(*prepared_.reducer, *stage_, std::move(finish));
    ring(lanes_.lane, reducer, stage_->of_lane());
  }

  // A rank without a lane does its part in the host's sums, in the order of the lanes' rings.
  void contribute_only() {
    const auto hosts = static_cast<std::size_t>(lanes_.hosts());
    for (std::size_t step = 1; step <= hosts; ++step) stage_->contribute(before(step));
  }

  // The segment so many places before or after that of this host.
  [[nodiscard]] std::size_t before(std::size_t places) const {
    const std::size_t hosts = message_.slices.size();
    return (static_cast<std::size_t>(lanes_.host) + hosts - places % hosts) % hosts;
  }
  [[nodiscard]] std::size_t after(std::size_t places) const {
    return (static_cast<std::size_t>(lanes_.host) + places) % message_.slices.size();
  }

 private:
  // As many chunks as suit the lane's ring; no frame may be too long for MPI.
  LaneMessage message_of(const LaneReduction& call, Slices slices) const {
    const std::size_t item_size = call.reduction.type.item_size;
    const std::size_t of_lane =
        mpi::longest_part(call.reduction.items, static_cast<std::size_t>(lanes_.count)) * item_size;
    const policy::Schedule schedule =
        ring_schedule_for(call.operation, call.reduction, call.plan, of_lane, lanes_.hosts());
    const policy::ChunkRange range = policy::chunk_range(
        runtime::current().settings, call.plan.plan, longest(slices) * item_size);
    return {static_cast<const std::byte*>(call.own), static_cast<std::byte*>(call.result),
            item_size, std::move(slices), std::max(schedule.chunks, range.fewest)};
  }

  const LaneReduction& call_;
  Work& work_;
  mpi::NodeLanes& lanes_;
  LaneMessage message_;
  PreparedReducer prepared_;
  std::unique_ptr<HostStage> stage_;
};

// Where all ranks' values are needed once, as in a Reduce, lanes code each value once more than a
// ring does, which is worth it where the link or the number of steps counts for more.
bool lanes_take_less(policy::Operation operation, const Reduction& reduction,
                     const ReductionPlan& plan, const mpi::NodeLanes& lanes,
                     const policy::Schedule& flat) {
  const auto locals = [](const std::vector<int>& host) { return host.size(); };
  const policy::LaneFacts facts{
      lanes.hosts(), lanes.count,
      static_cast<int>(locals(*std::ranges::max_element(lanes.ranks, {}, locals))),
      lanes.crossings};
  return lane_seconds_for(operation, reduction, plan, facts, flat.chunks) < flat.seconds;
}

}  // namespace

bool goes_over_lanes(policy::Operation operation, const Reduction& reduction,
                     const ReductionPlan& plan) {
  const mpi::NodeLanes* lanes = plan.decision.communicator->lanes();
  if (lanes == nullptr) return false;
  if (operation == policy::Operation::reduce_scatter && !lanes->even) return false;
  const policy::Schedule flat = schedule_for(operation, reduction, plan);
  const bool open = runtime::current().settings.algorithm == policy::Algorithm::automatic;
  if (flat.algorithm != policy::Algorithm::ring &&
      !(open && flat.algorithm == policy::Algorithm::rabenseifner)) {
    return false;
  }
  const bool compares =
      open && operation != policy::Operation::allreduce && may_depend_on_network(reduction, plan);
  return !compares || lanes_take_less(operation, reduction, plan, *lanes, flat);
}

void lane_allreduce(const LaneReduction& call, Work& work) {
  LaneWork lane(call, cut(call.reduction.items, *call.plan.decision.communicator->lanes()), work);
  HostStage& stage = lane.stage();
  if (!lane.lanes().has_lane()) {
    lane.contribute_only();
    for (int step = 0; step < lane.lanes().hosts(); ++step) {
      stage.spread(lane.before(static_cast<std::size_t>(step)));
    }
    return;
  }
  const auto finish = [&](ChunkPlace place, std::span<const std::byte> frame,
                          std::uint32_t sequence, std::span<std::byte> values) {
    stage.keep(place.chunk, frame);
    const wire::Unpacked state = lane.expand(frame, sequence, values);
    if (lane.last(place)) stage.spread(place.segment);
    return state;
  };
  lane.on_lane(
      finish, [&](mpi::Communicator& ring, FrameReducer& reducer, const ReductionMessage& message) {
        ring_allreduce(ring, reducer, message, work.health, work.traffic);
      });
}

void lane_reduce(const LaneReduction& call, int root, Work& work) {
  LaneWork lane(call, cut(call.reduction.items, *call.plan.decision.communicator->lanes()), work);
  HostStage& stage = lane.stage();
  const mpi::NodeLanes& lanes = lane.lanes();
  const int root_host = lanes.host_of(root);
  const std::vector<int>& ranks = lanes.ranks[static_cast<std::size_t>(root_host)];
  const auto root_local =
      static_cast<int>(std::find(ranks.begin(), ranks.end(), root) - ranks.begin());
  const bool is_root = call.plan.decision.communicator->rank == root;
  if (!lanes.has_lane()) {
    lane.contribute_only();
    for (int step = 0; lanes.host == root_host && step < lanes.hosts(); ++step) {
      stage.gather(lane.after(static_cast<std::size_t>(step)), root_local);
    }
    return;
  }
  const auto finish = [&](ChunkPlace place, std::span<const std::byte> frame,
                          std::uint32_t sequence, std::span<std::byte> values) {
    wire::Unpacked state;
    if (is_root) {
      state = lane.expand(frame, sequence, values);
    } else {
      stage.keep(place.chunk, frame);
    }
    if (lane.last(place)) stage.gather(place.segment, root_local);
    return state;
  };
  lane.on_lane(
      finish, [&](mpi::Communicator& ring, FrameReducer& reducer, const ReductionMessage& message) {
        ring_reduce(ring, reducer, message, root_host, work.health, work.traffic);
      });
}

void lane_reduce_scatter(const LaneReduction& call, const std::vector<mpi::Part>& segments,
                         Work& work) {
  LaneWork lane(call, given(segments, *call.plan.decision.communicator->lanes()), work);
  const auto finish = [&](ChunkPlace, std::span<const std::byte> frame, std::uint32_t sequence,
                          std::span<std::byte> values) {
    return lane.expand(frame, sequence, values);
  };
  lane.on_lane(
      finish, [&](mpi::Communicator& ring, FrameReducer& reducer, const ReductionMessage& message) {
        ring_reduce_scatter(ring, reducer, message, work.health, work.traffic);
      });
}

}  // namespace tightwire::collective
