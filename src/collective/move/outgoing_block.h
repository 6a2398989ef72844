// One rank's block for another, on its way in an exchange: cut into chunks, each a frame, or as it
// is.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collective/history/frame_encoder.h"
#include "collective/move/plain_messages.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/slot.h"
#include "collective/transfer/tags.h"
#include "collective/transfer/together.h"
#include "mpi/buffer.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/communicator.h"
#include "mpi/history/sent_history.h"
#include "policy/tuning/messages/unframed_messages.h"

namespace tightwire::collective {

using EncodedFrame = std::vector<std::byte>;

// Of messages between the same two ranks, in the order of their steps, each has another `tag` than
// the one before.
struct BlockToSend {
  int peer = MPI_PROC_NULL;
  std::span<const std::byte> values;
  codec::Encoding encoding;
  std::size_t chunks = 1;
  int tag = exchange_tag;
  std::unique_ptr<mpi::SentHistory> history;  // of messages to this peer; there is one
  ValuesOnDevice on_device{};                 // as of FrameEncoder
  // Of what goes to several peers, the frames as they were made for the first of them, who finds
  // none.
  std::vector<EncodedFrame>* frames = nullptr;
  // Where the receiver knows that such messages may go as they are (BlockToReceive::unframed):
  // which they are. Then it is told whether the next one does, and where the codec promises a gain,
  // what that is is noted.
  std::optional<policy::MessageKind> kind;
  bool promises_gain = false;
  // The values where the program has them, if these go as they are, behind a frame that says so.
  std::optional<mpi::Buffer> unframed;
};

// In flight until it is destroyed. Throws MpiError.
class OutgoingBlock {
 public:
  OutgoingBlock(mpi::Communicator& communicator, BlockToSend message, Traffic& traffic);

  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }

  // That chunk, and the next for which there is room. Returns which is the first of the rest.
  Schedule<std::size_t> send(std::size_t chunk);
  // No other chunk has to leave first.
  [[nodiscard]] bool has_place_for(std::size_t chunk) const { return chunk < slots_.size(); }
  // Whether all chunks have a place, several threads may be at them, and nobody waits for their
  // frames.
  [[nodiscard]] bool may_be_encoded_at_once() const {
    return encoder_ && encoder_->is_for_several_threads() && message_.frames == nullptr &&
           slots_.size() >= message_.chunks;
  }
  [[nodiscard]] std::size_t bytes() const { return message_.values.size(); }
  // All chunks of blocks of which that is true, in this order; none has been sent yet.
  static void send_at_once(std::span<OutgoingBlock* const> blocks);
  // Until all of it has left.
  Schedule<> drain();

 private:
  // Returns what a frame needs room for.
  std::size_t prepare();
  void send_unframed();
  [[nodiscard]] std::size_t chunk_bytes() const {
    return mpi::longest_byte_part(message_.values.size(), message_.chunks);
  }
  PieceRange with_next_free(std::size_t first);
  // In its slot, on any thread.
  void make_frame(std::size_t chunk);
  void send_now(std::size_t chunk);
  // Of a chunk that became a frame of `size` bytes.
  void note_gain(std::size_t chunk, std::size_t size);
  [[nodiscard]] bool is_next_unframed() const;

  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  std::size_t& size_of(std::size_t chunk) { return sizes_[chunk % slots_.size()]; }

  mpi::Communicator& communicator_;
  BlockToSend message_;
  Traffic& traffic_;
  std::size_t bytes_after_ = 0;          // of frames so far
  std::optional<FrameEncoder> encoder_;  // none where the frames are there, or there are none
  std::vector<Slot> slots_;
  std::vector<std::size_t> sizes_;  // by slot
  PlainMessages values_;            // that go as they are
};

}  // namespace tightwire::collective
