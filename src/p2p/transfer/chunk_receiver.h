// The rest of a message that came in chunks: what follows its first frame on the private
// communicator. While one chunk is decoded the next are on their way.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "mpi/buffer_pool.h"
#include "mpi/byte_parts.h"
#include "mpi/device/pieces.h"
#include "mpi/history/received_history.h"
#include "p2p/state/turn.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "wire/frame.h"

namespace tightwire::p2p {

class ChunkReceiver {
 public:
  struct Origin {
    int world_rank;
    int tag;
    std::size_t frame_bytes;  // of the chunk before
  };

  // Where the values go: into memory, or by a buffer's write_part(), or if there is neither,
  // nowhere. Both must stay.
  struct Target {
    std::size_t size;  // of all values
    std::span<std::byte> memory;
    const ReceiveBuffer* buffer;
    const mpi::ReceivedHistory* history;  // what it is predicted from, if it is
    mpi::Pieces* pieces;  // on their way to a device, if `memory` goes there in some
  };

  // Chunks 1 to `chunks` - 1. Throws MpiError, std::bad_alloc.
  ChunkReceiver(const Origin& origin, std::size_t chunks, const Target& target);
  // Receives are posted into its memory: not to be destroyed before advance() has said yes.
  ChunkReceiver(const ChunkReceiver&) = delete;
  ChunkReceiver& operator=(const ChunkReceiver&) = delete;
  ~ChunkReceiver() = default;

  // Takes what has come, or with `wait` all that is to come. True when there is no more.
  bool advance(bool wait);
  // The first thing wrong with any chunk.
  [[nodiscard]] const std::optional<wire::Problem>& problem() const { return problem_; }

 private:
  struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::BufferPool::Lease memory;
    mpi::BufferPool::Lease values;  // for the buffer
    std::size_t size = 0;           // of what has come
    std::optional<wire::Problem> problem;
    bool is_last = false;  // what has come is the last chunk
  };

  void post(std::size_t chunk);
  // As many as may be behind those that have arrived: none where it is another message's turn.
  void post_ahead();
  [[nodiscard]] std::size_t most_ahead() const;
  Slot& slot_of(std::size_t chunk) { return slots_[chunk % slots_.size()]; }
  // What has arrived waits to be decoded; the next may be asked for.
  void take_next();
  // Whether it has come, or with `wait` when it has.
  [[nodiscard]] bool arrived(std::size_t chunk, bool wait);
  void decode(std::size_t chunk);
  [[nodiscard]] std::optional<wire::Problem> unpack(std::span<const std::byte> frame,
                                                    std::size_t chunk, const mpi::Part& part,
                                                    std::span<std::byte> values) const;
  // Its place is free for the chunk that comes next there.
  void decoded(std::size_t chunk);
  // Nothing comes any more.
  void give_up();

  Origin origin_;
  Turn turn_;
  std::size_t chunks_;
  Target target_;
  bool may_ask_;  // where this rank sends as well
  // The first chunk that is not decoded, that has not arrived, that is not asked for.
  std::size_t decoded_ = 1;
  std::size_t next_ = 1;
  std::size_t posted_ = 1;
  std::vector<Slot> slots_;
  std::optional<wire::Problem> problem_;
};

}  // namespace tightwire::p2p
