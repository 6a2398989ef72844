// A block of another rank, coming in an exchange: in chunks, each a frame, or as it is.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collective/history/frame_decoder.h"
#include "collective/move/plain_messages.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/slot.h"
#include "collective/transfer/tags.h"
#include "collective/transfer/together.h"
#include "mpi/buffer.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"
#include "policy/tuning/messages/unframed_messages.h"

namespace tightwire::collective {

struct BlockToReceive {
  int peer = MPI_PROC_NULL;
  std::span<std::byte> values;
  std::size_t chunks = 1;
  int tag = exchange_tag;
  // Where the program wants the values, if their sender may leave them as they are: then there are
  // several chunks. And what the sender has told; `values` of what goes without frames are not
  // used.
  std::optional<mpi::Buffer> unframed;
  policy::NextMessage expected = policy::NextMessage::in_frames;
  std::shared_ptr<mpi::CodedBuffer> on_device = nullptr;  // as of FrameDecoder::decode_on()
};

// Its first receives are posted when it is made. Throws MpiError; failures of frames are noted.
class IncomingBlock {
 public:
  IncomingBlock(mpi::Communicator& communicator, const BlockToReceive& message,
                mpi::Health& health);

  [[nodiscard]] std::size_t chunks() const { return message_.chunks; }
  [[nodiscard]] codec::Id tried() const { return tried_; }

  // That chunk, and the next that are here. Returns which is the first of the rest.
  Schedule<std::size_t> take(std::size_t chunk);

  // After the first chunk: whether all of it comes to where the program wants it, and what was told
  // of the next one like it; and until it has come.
  [[nodiscard]] bool is_unframed() const { return message_.expected == Next::unframed; }
  [[nodiscard]] policy::NextMessage next() const { return next_; }
  Schedule<> drain();

 private:
  using Next = policy::NextMessage;

  Schedule<> find_out();
  Schedule<bool> values_follow();
  void take_notice();
  void decode(PieceRange now);
  [[nodiscard]] std::size_t chunk_bytes() const {
    return mpi::longest_byte_part(message_.values.size(), message_.chunks);
  }
  PieceRange with_next_arrived(std::size_t first);
  // One that is too long is as good as none.
  std::span<const std::byte> frame(std::size_t chunk);
  bool note(std::size_t chunk, const wire::Unpacked& unpacked);
  void taken(std::size_t chunk);

  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  wire::Unpacked& unpacked(std::size_t chunk) { return unpacked_[chunk % slots_.size()]; }

  mpi::Communicator& communicator_;
  BlockToReceive message_;
  mpi::Health& health_;
  FrameDecoder decoder_;
  std::size_t capacity_;
  std::vector<Slot> slots_;
  // By slot: of the frame, and what came out of it.
  std::vector<std::size_t> sizes_;
  std::vector<wire::Unpacked> unpacked_;
  codec::Id tried_ = codec::Id::raw;
  Next next_ = Next::unknown;
  PlainMessages values_;  // that come as they are
};

}  // namespace tightwire::collective
