// Sums on a ring that are predicted from those of earlier calls: every hop sees the same place of
// the message again at each call. Integers of the grid are what is predicted, so that results have
// the same bits with and without.
//
// A place at a hop is a channel (mpi/history/message_history.h), and so is a place of the result,
// which one rank sends to all others. Both ends of it keep what its frames decode to.
#pragma once

#include <optional>

#include "collective/plan/reduction_plan.h"
#include "collective/reduce/frame_reducer.h"
#include "mpi/history/received_history.h"
#include "mpi/history/sent_history.h"

namespace tightwire::collective {

class SumHistory {
 public:
  // Of one call.
  explicit SumHistory(const ReductionPlan& plan);

  // Sums of a place of the message, in a frame that another rank is about to get.
  struct Outgoing {
    std::span<std::byte> buffer;  // has room for wire::history_size bytes more than the frame
    std::size_t size = 0;         // of the frame
    std::size_t value_bytes = 0;
    std::uint32_t sequence = 0;
    std::size_t place = 0;
  };
  // Leaves in the buffer what earlier sums leave of the frame, where that pays, and asks its
  // receivers to keep it, where that may. Returns the size. Throw MpiError, std::bad_alloc.
  [[nodiscard]] std::size_t remember(const Outgoing& sums, int receiver);
  // The result, of these values.
  [[nodiscard]] std::size_t remember_for_all(const Outgoing& result,
                                             std::span<const std::byte> values);

  // Whether the frame is one that remember() has to do with: the rest is for those.
  [[nodiscard]] static bool concerns(std::span<const std::byte> frame) {
    return wire::history_of(frame).has_value();
  }
  // As of FrameReducer; the frame's first sender was that rank. Throw MpiError, std::bad_alloc.
  [[nodiscard]] FrameReducer::Merged merge(std::span<const std::byte> incoming, int sender,
                                           std::span<const std::byte> own, std::uint32_t sequence,
                                           std::span<std::byte> frame);
  [[nodiscard]] FrameReducer::Merged complete(std::span<const std::byte> incoming, int sender,
                                              std::span<const std::byte> own,
                                              std::uint32_t sequence, std::span<std::byte> frame,
                                              std::span<std::byte> values);
  [[nodiscard]] wire::Unpacked finish(std::span<const std::byte> frame, int sender,
                                      std::uint32_t sequence, std::span<std::byte> values);

 private:
  struct Arriving;
  [[nodiscard]] Arriving arrive(std::span<const std::byte> frame, int sender,
                                std::size_t value_bytes, std::uint32_t sequence) const;
  [[nodiscard]] wire::Unpacked decode(const Arriving& sums, std::span<std::byte> values) const;
  template <class Combine, class CombineInTime>
  [[nodiscard]] FrameReducer::Merged combined(const Arriving& sums, std::span<const std::byte> own,
                                              std::uint32_t sequence, std::span<std::byte> frame,
                                              Combine combine, CombineInTime combine_in_time);

  struct Way {
    mpi::MessageHistory::Key key;
    std::span<const int> receivers;
  };
  template <class Values>
  [[nodiscard]] std::size_t remember(const Outgoing& sums, const Way& way, Values values_of);
  [[nodiscard]] bool pays(const Outgoing& sums, double ratio) const;
  // What the history's references leave of an encoding; empty where that is no shorter.
  [[nodiscard]] std::span<const std::byte> left_of(std::span<const std::byte> encoded,
                                                   const Outgoing& sums, mpi::SentHistory& history);
  [[nodiscard]] int tag_of(std::size_t place) const;
  [[nodiscard]] std::span<std::byte> scratch(mpi::BufferPool::Lease& lease, std::size_t size) const;

  mpi::Communicator& communicator_;
  const codec::Encoding& encoding_;
  codec::bounded::Operation operation_;
  policy::Operation call_;
  bool pipelined_;
  double link_;  // bytes per second; 0: fewer bytes are all that counts
  mpi::BufferPool::Lease values_;
  mpi::BufferPool::Lease left_;
};

}  // namespace tightwire::collective
