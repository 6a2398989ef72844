// What the ranks of one host do together in a reduction over lanes (node_lanes.h): they add up
// their values, each for its own lane, and give each other the results. In frames, so that sums
// within a bound stay on the grid and have the same bits however the ranks lie on hosts.
//
// The message is cut into a segment for each host, each segment into a slice for each lane, each
// slice into chunks, which travel as frames. A lane reduces its slices of all segments.
//
// No deadlock: all ranks of all hosts call these in the same order among the steps of the same
// ring, so what one waits for are earlier steps of others.
#pragma once

#include <span>
#include <vector>

#include "collective/reduce/frame_reducer.h"
#include "collective/reduce/reduction_frames.h"
#include "mpi/communicator/node_lanes.h"

namespace tightwire::collective {

struct LaneMessage {
  std::span<const std::byte> own;
  std::span<std::byte> result;  // empty where none is received
  std::size_t item_size = 0;
  std::vector<std::vector<mpi::Part>>
      slices;              // [segment][local index]; ranks without lane have empty ones
  std::size_t chunks = 1;  // of each slice
};

class HostStage {
 public:
  // All outlive the stage.
  HostStage(mpi::NodeLanes& lanes, FrameReducer& reducer, const LaneMessage& message,
            mpi::Health& health);

  // The ranks of the host add up their values of a segment, each for its own lane. The first call
  // for a segment is collective over the host.
  [[nodiscard]] Schedule<> contribute(std::size_t segment);
  // After that: a frame of the host's sum of this lane's slice.
  [[nodiscard]] std::span<const std::byte> contribution(std::size_t chunk) const;

  // Keeps a frame of this lane's result, of one segment at a time; once there is room for it.
  [[nodiscard]] Awaiting<Slot> room_for(std::size_t chunk) {
    return results_[chunk].slot.transferred();
  }
  void keep(std::size_t chunk, std::span<const std::byte> frame);

  // The kept frames of all lanes go to all ranks of the host, or to one of them, and are decoded
  // into their results. Collective over the host.
  [[nodiscard]] Schedule<> spread(std::size_t segment);
  [[nodiscard]] Schedule<> gather(std::size_t segment, int root_local);

  // Until all kept frames have left.
  [[nodiscard]] Schedule<> drain();

  // A frame's segment and chunk, by the numbers that frames have.
  [[nodiscard]] ChunkPlace place_of(std::uint32_t sequence) const;
  // The message of a lane's ring.
  [[nodiscard]] ReductionMessage of_lane() const;

 private:
  [[nodiscard]] ReductionMessage of_host(std::size_t segment) const;
  [[nodiscard]] bool empty(std::size_t segment, int local) const {
    return message_.slices[segment][static_cast<std::size_t>(local)].count == 0;
  }

  // A slot and the size of the frame in it.
  struct Kept {
    Slot slot;
    std::size_t size = 0;
  };
  class Collect;

  [[nodiscard]] std::vector<Kept> make_kept(std::size_t capacity);
  static void keep_in(Kept& kept, std::span<const std::byte> frame);
  [[nodiscard]] static std::span<const std::byte> frame_in(const Kept& kept);

  mpi::NodeLanes& lanes_;
  FrameReducer& reducer_;
  const LaneMessage& message_;
  mpi::Health& health_;
  Traffic inside_;  // crosses no network
  std::size_t segments_;
  std::size_t contributed_;  // the segment that contributions_ are of; segments_: none
  std::vector<Kept> contributions_;
  std::vector<Kept> results_;
  std::vector<Slot> incoming_;
  std::vector<std::size_t> received_;  // by chunk: the size of the frame in incoming_
};

}  // namespace tightwire::collective
