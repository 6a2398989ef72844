// What every algorithm of a reduction does with frames: makes them of this rank's values, merges,
// hands on, decodes.
//
// The items of the message are cut into segments, each segment into chunks; a chunk travels as one
// frame, whose sequence number tells its place. A frame that cannot be used is noted in the Health,
// and a failure frame takes its place, so that every algorithm goes on with its protocol.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collective/plan/reduction_plan.h"
#include "collective/reduce/frame_reducer.h"
#include "collective/reduce/sum_history.h"
#include "collective/transfer/slot.h"
#include "collective/transfer/together.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"
#include "mpi/device/pieces.h"
#include "mpi/error.h"
#include "mpi/partition.h"

namespace tightwire::collective {

// A chunk's place in the message.
struct ChunkPlace {
  std::size_t segment = 0;
  std::size_t chunk = 0;
};

// What ranks of one host do together around each step of a ring over lanes; see
// multilane/host_stage.h.
class Stage {
 public:
  virtual ~Stage() = default;
  // Before a chunk's contribution is merged or sent: it is that of the whole host.
  [[nodiscard]] virtual Schedule<> contributed(ChunkPlace place) = 0;
  // Before a chunk of the result is decoded: there is room to keep its frame.
  [[nodiscard]] virtual Schedule<> deliverable(ChunkPlace place) = 0;
  // After that: others of the host want it too.
  [[nodiscard]] virtual Schedule<> delivered(ChunkPlace place) = 0;
};

// The message of one reduction, in memory that the processor may touch. `own` and `result` may be
// the same (MPI_IN_PLACE); at ranks that receive no result, `result` is empty.
struct ReductionMessage {
  std::span<const std::byte> own;
  std::span<std::byte> result;
  std::size_t item_size = 0;
  std::vector<mpi::Part> segments;  // in items
  std::size_t chunks = 1;           // of each segment
  // Places of frames: the first one's, and from a segment's first to the next one's; 0: chunks.
  std::size_t first_place = 0;
  std::size_t segment_stride = 0;
  Stage* stage = nullptr;      // none but in rings over lanes
  SumHistory* sums = nullptr;  // none but where sums may be predicted from earlier ones
  // Where `own` comes from a device in pieces, and `result` may go to one in some.
  std::shared_ptr<mpi::Pieces> own_pieces = nullptr;
  std::shared_ptr<mpi::Pieces> result_pieces = nullptr;
};

// Of a plan that goes flat. `result` is of no count where none is received. Throws MpiError.
[[nodiscard]] ReductionMessage message_of(const ReductionPlan& plan, const mpi::Buffer& result);
// The same, of which what is on its way from a device is waited for by who reads it.
[[nodiscard]] ReductionMessage message_in_pieces(const ReductionPlan& plan,
                                                 const mpi::Buffer& result);

// A frame in a slot, or in one that is being received.
struct HeldFrame {
  std::span<const std::byte> bytes;
  int sender = 0;  // the rank that it came from, or would have
};

class ReductionFrames {
 public:
  ReductionFrames(mpi::Communicator& communicator, FrameReducer& reducer,
                  const ReductionMessage& message, mpi::Health& health, Traffic& traffic);

  [[nodiscard]] std::size_t segments() const { return message_.segments.size(); }
  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }
  [[nodiscard]] Stage* stage() const { return message_.stage; }
  // Of a slot that any frame of the message fits into.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

  // What any thread may do of merge(), complete(), combine() and finish() before the calling one
  // does the rest, of several chunks at a time; nothing where it has to do all.
  using Made = std::optional<FrameReducer::Merged>;
  [[nodiscard]] Made merge_anywhere(ChunkPlace place, const Slot& in, std::size_t received,
                                    Slot& out) const;
  [[nodiscard]] Made complete_anywhere(ChunkPlace place, const Slot& in, std::size_t received,
                                       Slot* out, std::span<std::byte> values) const;
  using Combined = std::optional<FrameReducer::Combined>;
  [[nodiscard]] Combined combine_anywhere(ChunkPlace place, HeldFrame first, HeldFrame second,
                                          Slot& out) const;
  using Decoded = std::optional<wire::Unpacked>;
  [[nodiscard]] Decoded finish_anywhere(ChunkPlace place, HeldFrame frame,
                                        std::span<std::byte> values) const;

  // These leave a frame in `out`, which nothing may be under way from, and return its size.
  // Of this rank's own values, on any thread:
  std::size_t start(ChunkPlace place, Slot& out) const;
  // Of a frame and this rank's own values, in one pass; `received` as Slot::wait() gave it, `made`
  // as merge_anywhere() did:
  std::size_t merge(ChunkPlace place, const Slot& in, std::size_t received, int sender, Slot& out,
                    const Made& made = {});
  // The same with the last contribution, where completes(): the result's values go to `values`.
  // Without `out` there is no frame.
  [[nodiscard]] bool completes() const { return reducer_.completes(); }
  std::size_t complete(ChunkPlace place, const Slot& in, std::size_t received, int sender,
                       Slot* out, std::span<std::byte> values, const Made& made = {});
  // Of two frames; the order counts where values do not fit the grid, so ranks that are to hold
  // the same bits must agree on it:
  std::size_t combine(ChunkPlace place, HeldFrame first, HeldFrame second, Slot& out,
                      const Combined& made = {});
  // The frame received in `slot` itself, to be handed on as it came:
  std::size_t accept(ChunkPlace place, Slot& slot, std::size_t received, int sender);

  // A frame in `slot`, before it is sent: what earlier calls leave of it, if that pays. Returns its
  // size.
  std::size_t remember(ChunkPlace place, Slot& slot, std::size_t size, int receiver);
  // The same of the result, whose values these are, for all others.
  std::size_t remember_for_all(ChunkPlace place, Slot& slot, std::size_t size,
                               std::span<const std::byte> values);

  void send(ChunkPlace place, Slot& slot, std::size_t size, int destination, int tag);
  // Of a frame that is sent in another way: what of it goes over the wire.
  void count_sent(ChunkPlace place, std::size_t size);

  // Where the values of a chunk belong in the result; nothing where none is received.
  [[nodiscard]] std::span<std::byte> result(ChunkPlace place) const {
    return result_at(items(place).begin, place);
  }
  // The same where the result is the chunk's segment alone.
  [[nodiscard]] std::span<std::byte> result_in_segment(ChunkPlace place) const {
    return result_at(items(place).begin - message_.segments[place.segment].begin, place);
  }

  // Decodes a frame in which all contributions are, to `values`. If its sums are remembered, the
  // rank with the segment's number sent it first.
  void finish(ChunkPlace place, HeldFrame frame, std::span<std::byte> values,
              const Decoded& decoded = {});
  // To its place in the whole result.
  void finish(ChunkPlace place, HeldFrame frame) { finish(place, frame, result(place)); }
  // Of several chunks, place_of(chunk), frame_of(chunk) and values_of(chunk), by several threads.
  template <class PlaceOf, class FrameOf, class ValuesOf>
  void finish(PieceRange chunks, PlaceOf place_of, FrameOf frame_of, ValuesOf values_of) {
    std::vector<Decoded> decoded(chunks.size());
    together(
        chunks, chunk_bytes_,
        [&](std::size_t chunk) {
          decoded[chunk - chunks.begin] =
              finish_anywhere(place_of(chunk), frame_of(chunk), values_of(chunk));
        },
        [&](std::size_t chunk) {
          finish(place_of(chunk), frame_of(chunk), values_of(chunk), decoded[chunk - chunks.begin]);
        });
  }

  template <class PlaceOf, class FrameOf>
  void finish(PieceRange chunks, PlaceOf place_of, FrameOf frame_of) {
    finish(chunks, place_of, frame_of, [&](std::size_t chunk) { return result(place_of(chunk)); });
  }

  // The same, with what ranks of a host do before and after it.
  template <class PlaceOf, class FrameOf, class ValuesOf>
  [[nodiscard]] Schedule<> deliver(PieceRange chunks, PlaceOf place_of, FrameOf frame_of,
                                   ValuesOf values_of) {
    for (std::size_t chunk = chunks.begin; stage() != nullptr && chunk < chunks.end; ++chunk) {
      co_await stage()->deliverable(place_of(chunk));
    }
    finish(chunks, place_of, frame_of, values_of);
    for (std::size_t chunk = chunks.begin; stage() != nullptr && chunk < chunks.end; ++chunk) {
      co_await stage()->delivered(place_of(chunk));
    }
  }

  // Of the values of a chunk, at most.
  [[nodiscard]] std::size_t chunk_bytes() const { return chunk_bytes_; }

  [[nodiscard]] mpi::Part items(ChunkPlace place) const {
    return mpi::part_of(message_.segments[place.segment], message_.chunks, place.chunk);
  }

 private:
  [[nodiscard]] std::uint32_t sequence(ChunkPlace place) const {
    const std::size_t stride =
        message_.segment_stride > 0 ? message_.segment_stride : message_.chunks;
    return communicator_.sequence(message_.first_place + place.segment * stride + place.chunk);
  }
  // Its values are to be read only where they are here: false where they could not be copied from a
  // device, which whoever runs the reduction tells the program. On any thread.
  [[nodiscard]] bool is_here(ChunkPlace place) const {
    return message_.own_pieces == nullptr || message_.own_pieces->is_here(own(place));
  }
  // They are what the result has, for good.
  void written(std::span<const std::byte> values) const {
    if (message_.result_pieces != nullptr) message_.result_pieces->written(values);
  }
  [[nodiscard]] std::span<const std::byte> own(ChunkPlace place) const;
  // The values of a chunk, from that item of the result on.
  [[nodiscard]] std::span<std::byte> result_at(std::size_t begin, ChunkPlace place) const;
  // The frame received, if any thread may merge it.
  [[nodiscard]] std::optional<std::span<const std::byte>> plain_frame(const Slot& in,
                                                                      std::size_t received) const;
  // Whether the frame is predicted from earlier ones, or to be kept for that.
  [[nodiscard]] bool is_remembered(std::span<const std::byte> frame) const {
    return message_.sums != nullptr && SumHistory::concerns(frame);
  }
  [[nodiscard]] SumHistory::Outgoing outgoing(ChunkPlace place, Slot& slot, std::size_t size) const;
  // False if there was something wrong, which is noted.
  bool note(ChunkPlace place, const wire::Unpacked& state, int sender);
  std::size_t settle(ChunkPlace place, const FrameReducer::Merged& merged, int sender, Slot& out);
  std::size_t failure_frame(ChunkPlace place, Slot& slot);

  mpi::Communicator& communicator_;
  FrameReducer& reducer_;
  const ReductionMessage& message_;
  mpi::Health& health_;
  Traffic& traffic_;
  std::size_t chunk_bytes_;
  std::size_t capacity_;
};

}  // namespace tightwire::collective
