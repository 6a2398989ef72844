#include "collective/multilane/lane_reduction.h"

#include "collective/multilane/lane_reducer.h"
#include "collective/reduce/ring/ring.h"

namespace tightwire::collective {
namespace {

LaneMessage message_over_lanes(const ReductionPlan& plan, const mpi::Buffer& result) {
  const Reduction& reduction = plan.reduction;
  return {reduction.values(), result.host_bytes(), reduction.type.item_size, plan.slices,
          plan.chunks};
}

// What all have in common: what a rank does in the ring of its lane, and with the others of its
// host before and after each step of that.
class LaneReduction : public Stage {
 public:
  LaneReduction(const ReductionPlan& plan, const mpi::Buffer& result, Work& work)
      : work_(work),
        lanes_(*plan.decision.communicator->node_lanes),
        message_(message_over_lanes(plan, result)),
        prepared_(reducer_for(plan)),
        stage_(lanes_, *prepared_.reducer, message_, work.health),
        lane_reducer_(*prepared_.reducer, stage_) {
    // Frames cross from one to the other.
    lanes_.inside.calls = lanes_.lane.calls = ++plan.decision.communicator->calls;
  }

  Schedule<> contributed(ChunkPlace place) override { co_await stage_.contribute(place.segment); }
  Schedule<> drain() { co_await stage_.drain(); }

  Schedule<> deliverable(ChunkPlace place) override { co_await stage_.room_for(place.chunk); }
  Schedule<> delivered(ChunkPlace place) override {
    if (place.chunk + 1 == message_.chunks) {
      co_await hand_out(place.segment);
    }
  }

 protected:
  // A segment's result to those of the host that want it.
  virtual Schedule<> hand_out(std::size_t segment) = 0;

  [[nodiscard]] const mpi::NodeLanes& lanes() const { return lanes_; }
  [[nodiscard]] HostStage& stage() { return stage_; }

  // In the ring: as all ranks of a communicator do.
  [[nodiscard]] ReductionMessage lane_message() {
    ReductionMessage message = stage_.of_lane();
    message.stage = this;
    return message;
  }
  [[nodiscard]] mpi::Communicator& lane() { return lanes_.lane; }
  [[nodiscard]] LaneReducer& reducer() { return lane_reducer_; }
  [[nodiscard]] Work& work() { return work_; }

  // A rank without a lane does its part in the host's sums, in the order of the lanes' rings.
  Schedule<> contribute_only() {
    const auto hosts = static_cast<std::size_t>(lanes_.hosts());
    for (std::size_t step = 1; step <= hosts; ++step) {
      co_await stage_.contribute(before(step));
    }
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
  Work& work_;
  mpi::NodeLanes& lanes_;
  LaneMessage message_;
  PreparedReducer prepared_;
  HostStage stage_;
  LaneReducer lane_reducer_;
};

class LaneAllreduce final : public LaneReduction {
 public:
  using LaneReduction::LaneReduction;

  Schedule<> run() {
    if (!lanes().has_lane()) {
      co_await contribute_only();
      const auto hosts = static_cast<std::size_t>(lanes().hosts());
      for (std::size_t step = 0; step < hosts; ++step) {
        co_await hand_out(before(step));
      }
      co_return;
    }
    reducer().result_is(LaneReducer::Result::kept_and_decoded);
    const ReductionMessage message = lane_message();
    co_await ring_allreduce(lane(), reducer(), message, work().health, work().traffic);
  }

 private:
  Schedule<> hand_out(std::size_t segment) override { co_await stage().spread(segment); }
};

class LaneReduce final : public LaneReduction {
 public:
  LaneReduce(const ReductionPlan& plan, const mpi::Buffer& result, int root, Work& work)
      : LaneReduction(plan, result, work),
        is_root_(plan.decision.communicator->rank == root),
        root_(lanes().place_of(root)) {}

  Schedule<> run() {
    if (!lanes().has_lane()) {
      co_await contribute_only();
      const bool concerned = lanes().host == root_.host;
      const auto hosts = static_cast<std::size_t>(lanes().hosts());
      for (std::size_t step = 0; concerned && step < hosts; ++step) {
        co_await hand_out(after(step));
      }
      co_return;
    }
    reducer().result_is(is_root_ ? LaneReducer::Result::decoded : LaneReducer::Result::kept);
    const ReductionMessage message = lane_message();
    co_await ring_reduce(lane(), reducer(), message, root_.host, work().health, work().traffic);
  }

 private:
  Schedule<> hand_out(std::size_t segment) override {
    co_await stage().gather(segment, root_.local);
  }

  bool is_root_;
  policy::HostPlace root_;
};

class LaneReduceScatter final : public LaneReduction {
 public:
  using LaneReduction::LaneReduction;

  Schedule<> run() {
    reducer().result_is(LaneReducer::Result::decoded);
    const ReductionMessage message = lane_message();
    co_await ring_reduce_scatter(lane(), reducer(), message, work().health, work().traffic);
  }

 private:
  Schedule<> hand_out(std::size_t) override { co_return; }
};

}  // namespace

Schedule<> lane_allreduce(const ReductionPlan& plan, const mpi::Buffer& result, Work& work) {
  LaneAllreduce reduction(plan, result, work);
  co_await reduction.run();
  co_await reduction.drain();
}

Schedule<> lane_reduce(const ReductionPlan& plan, const mpi::Buffer& result, int root, Work& work) {
  LaneReduce reduction(plan, result, root, work);
  co_await reduction.run();
  co_await reduction.drain();
}

Schedule<> lane_reduce_scatter(const ReductionPlan& plan, const mpi::Buffer& result, Work& work) {
  LaneReduceScatter reduction(plan, result, work);
  co_await reduction.run();
}

}  // namespace tightwire::collective
