// A receive of the program whose message may be a frame.
//
// MPI is given the program's own buffer: whatever comes fits where the program's own message would.
// What has come is then looked at, and if it is a frame, decoded in place. Only where that is not
// contiguous, and a frame might come, MPI is given memory of ours, and what is decoded goes to
// its place chunk by chunk.
#pragma once

#include <mpi.h>

#include <chrono>
#include <memory>
#include <optional>

#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/device/pieces.h"
#include "mpi/error.h"
#include "mpi/history/received_history.h"
#include "mpi/operation.h"
#include "p2p/feedback/asked_for.h"
#include "p2p/transfer/buffer/posted_buffers.h"
#include "p2p/transfer/buffer/receive_buffer.h"
#include "p2p/transfer/chunk_receiver.h"
#include "wire/trailer.h"

namespace tightwire::p2p {

class Incoming {
 public:
  // `call` names the function in messages. Throws MpiError.
  Incoming(const mpi::Buffer& buffer, ReceiveBuffer::Type type, const mpi::Route& route,
           const char* call);

  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;
  ~Incoming() = default;

  // What to hand to any of MPI's receives. Throws MpiError, std::bad_alloc.
  struct Place {
    void* address;
    int count;
    MPI_Datatype type;
  };
  [[nodiscard]] Place place();
  // The same for one that stays pending: `receive` moves it on.
  [[nodiscard]] Place place(mpi::Operation& receive);
  // Whether place() is the buffer as the program named it, in its own type.
  [[nodiscard]] bool as_named() const;

  // The program asks for the message now; only the first time counts.
  void asked_for();

  // Instead of place(): the message has been taken from MPI before, and is in `memory`.
  void take(mpi::BufferPool::Lease memory);

  // It does not come any more.
  void give_up() { posted_.remove(); }

  // Of the program's buffer, in bytes.
  [[nodiscard]] std::size_t room() const { return buffer_.size(); }

  // MPI itself will call this message too long.
  [[nodiscard]] bool is_too_long(const MPI_Status& status) const;

  // The message is gone from MPI: what follows ends the job where there is no memory for it.

  // MPI has received the message, or its first frame: puts the program's data in its place, as far
  // as it is here. Waits for trailing bytes, which the sender has posted before.
  void receive(const MPI_Status& status);
  // True when all chunks that follow are in their place too; with Waiting::yes it always is.
  [[nodiscard]] bool advance(mpi::Operation::Waiting waiting);
  // A message that is cut off calls the error handler of MPI_COMM_WORLD, ...
  void fail_on_world() { fails_on_world_ = true; }
  // ... or none.
  void mute(bool muted) { muted_ = muted; }
  // What the program hears. What is wrong with the message is raised on the communicator here.
  [[nodiscard]] mpi::Outcome outcome();
  // All of these, one after the other.
  [[nodiscard]] mpi::Outcome finish(const MPI_Status& status);

 private:
  [[nodiscard]] mpi::CallName name(std::size_t bytes) const;
  void put_in_place();
  // A frame in a device's memory comes to ours.
  void fetch_from_device();
  // What MPI has received, wherever.
  [[nodiscard]] std::span<std::byte> message();
  void read_frame(int source);
  // What the frame says of earlier messages; false where it can't be followed.
  bool read_history(const wire::Trailer& trailer, std::span<const std::byte> frame, int source);
  // Tells the sender what has become of the message.
  void end_history();
  // The program's message, where it is to be kept.
  [[nodiscard]] std::span<const std::byte> whole_message();
  void restore(const wire::Trailer& trailer, std::span<const std::byte> frame, int source);
  void decode(const wire::ReadTrailer& read, std::span<const std::byte> frame, int source);
  // By the device, if there the values belong; false where it won't.
  [[nodiscard]] bool decode_on_device(const wire::ReadTrailer& read,
                                      std::span<const std::byte> payload);
  // Where all values may be decoded to; empty where they go to their places chunk by chunk.
  [[nodiscard]] std::span<std::byte> room_for_all();
  void decode_first(const wire::ReadTrailer& read, std::span<const std::byte> payload,
                    std::size_t size, std::span<std::byte> whole);
  void decode_chunk(const wire::ReadTrailer& read, std::span<const std::byte> payload,
                    std::span<std::byte> values);
  [[nodiscard]] bool decoded_as(const codec::Codec& codec, codec::ElementType type,
                                std::span<const std::byte> payload,
                                std::span<std::byte> values) const;
  void note(wire::Problem problem);
  // Tells the sender how long the message took.
  void tell_sender() const;

  ReceiveBuffer buffer_;
  std::shared_ptr<mpi::CodedBuffer>
      coded_;                            // what the buffer stands for, if a device decodes there
  std::shared_ptr<mpi::Pieces> pieces_;  // if values may go there in some
  std::shared_ptr<const mpi::Route> route_;
  const char* call_;
  mpi::BufferPool::Lease memory_;  // where MPI receives it, unless in the buffer
  PostedBuffers::Posted posted_;   // that buffer
  mpi::ByteSegments segments_;

  std::optional<AskedFor> asked_;

  mpi::Outcome outcome_;
  std::size_t size_ = 0;  // of the program's message
  bool truncated_ = false;
  bool muted_ = false;
  bool told_ = false;  // an error handler that jumps comes here again
  bool fails_on_world_ = false;
  std::optional<wire::Problem> problem_;
  std::optional<mpi::ReceivedHistory> history_;
  mpi::BufferPool::Lease values_;        // decoded, where MPI must unpack them
  std::optional<ChunkReceiver> chunks_;  // of the chunks that are to come
};

}  // namespace tightwire::p2p
