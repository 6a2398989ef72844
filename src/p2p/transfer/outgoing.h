// A message of the program as it goes to MPI: a frame in place of the program's buffer.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "early/early.h"
#include "mpi/buffer.h"
#include "mpi/buffer_pool.h"
#include "mpi/byte_parts.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"
#include "mpi/datatype/predefined_type.h"
#include "mpi/history/sent_history.h"
#include "p2p/feedback/transfer_feedback.h"
#include "p2p/transfer/buffer/send_buffer.h"
#include "p2p/transfer/message_encoding.h"
#include "wire/trailer.h"

namespace tightwire::p2p {

// Kept until the send is complete.
class Outgoing {
 public:
  // Encodes the message, or passes it through unmodified if that does not help; posts what follows
  // it. The program's buffer is read here, and if not encoded, by the send. Throws MpiError,
  // std::bad_alloc.
  Outgoing(const mpi::Buffer& user, const mpi::Route& route, const Envelope& envelope);

  // What to hand to any of MPI's sends.
  struct Message {
    const void* address;
    int count;
    MPI_Datatype type;
  };
  [[nodiscard]] Message message() const;

  // Nothing of ours is sent from.
  [[nodiscard]] bool is_plain() const { return !values_.in_own_memory() && !memory_; }

  // MPI has taken message().
  void accepted() { history_.accepted(); }

  // Known as long as something of the message is: the call that sends it ends with note_sent().
  [[nodiscard]] Sending sending() const { return {world_rank_, bytes_, is_encoded_, start_}; }

  // Whether something follows what message() has: more chunks, or trailing bytes.
  [[nodiscard]] bool has_more() const { return chunks_ > 1 || trailing_ > 0; }
  // Posts that, after message() has been handed to MPI, which may find the call's arguments wrong.
  // The program's buffer is not read any more after chunks.
  void follow();

 private:
  using Clock = std::chrono::steady_clock;

  struct Encoded {
    codec::Id codec = codec::Id::raw;  // raw: of no use
    std::size_t size = 0;              // in payload_room()
  };
  // Where a chunk behind the first is encoded.
  struct Place {
    mpi::BufferPool::Lease values;
    mpi::BufferPool::Lease memory;
    std::size_t size = 0;
    double seconds = 0;  // of encoding it
  };
  // Of a frame with such a payload: never below the threshold, where a message would be taken for
  // one of the program's own. Longer than the message where a probe could not be told of it.
  [[nodiscard]] std::size_t frame_size(std::size_t payload_size) const;
  // Memory for a frame; false if there is none.
  bool borrow(std::size_t payload_size);
  [[nodiscard]] std::span<std::byte> frame_memory();
  [[nodiscard]] std::span<std::byte> payload_room();
  // The first chunk: taken if it has been encoded before, else encoded now.
  Encoded encode_first();
  Encoded encode_now();
  // All of it, by the device that has the values; false where that won't.
  [[nodiscard]] bool encode_on_device();
  void end_on_device(bool is_sent);
  void note_speed(std::size_t bytes, double start) const;
  // Runs `encode` with the encoding of a chunk: with what it is predicted from.
  template <class Encode>
  auto with_references(std::size_t chunk, Encode encode) const {
    const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
    const codec::ReferenceParts references = history_.references(part.begin, part.count);
    codec::Encoding encoding = encoding_.encoding;
    encoding.parameters.references = references.all();
    return encode(encoding);
  }
  void write_frame(const Encoded& encoded);
  void write_end(std::span<std::byte> end, const wire::Trailer& trailer,
                 std::span<const std::byte> payload);
  // Both sides will keep what the payload decodes to, which is not what the program has sent.
  [[nodiscard]] bool keeps_decoded() const {
    return history_.to_keep() && encoding_.encoding.codec->lossy();
  }
  [[nodiscard]] wire::HistoryBlock keep(std::span<const std::byte> payload);
  [[nodiscard]] wire::Trailer make_trailer(const Encoded& encoded) const;
  void begin_chunks();
  // Of what goes as a frame without a block.
  void end_history();
  [[nodiscard]] std::size_t chunk_count();
  [[nodiscard]] std::vector<Place> make_places() const;
  void encode_chunk(std::size_t chunk, Place& place);
  bool encode(const std::optional<mpi::PredefinedType>& type, const mpi::Route& route,
              const Envelope& envelope);
  void add_statistics(std::size_t bytes_after) const;
  // The message is passed through unmodified.
  void pass_through(const mpi::Buffer& user);
  // It would be, but would then be taken for a frame, or is to be kept by the receiver, or is to
  // have another length on the wire.
  void store(std::size_t length);
  // What a probe sees of a message that is not encoded.
  [[nodiscard]] std::size_t length_on_the_wire() const;
  void post_trailing_bytes();

  Clock::time_point start_;
  SendBuffer values_;
  mpi::BufferPool::Lease memory_;  // an encoded frame, or the trailer of a stored one
  mpi::ByteSegments segments_;
  std::optional<mpi::Buffer> given_;  // sent as the program gave it, in place of segments_

  SendMode mode_;
  int world_rank_;
  std::size_t bytes_;  // 0: how long it takes tells nothing
  bool is_encoded_ = false;
  MessageEncoding encoding_;
  std::optional<Encoded> on_device_;  // what a device has encoded, in its pinned memory
  mpi::SentHistory history_;
  std::size_t chunks_ = 1;
  std::size_t trailing_ = 0;  // bytes of a stored message, still to be posted
  std::uint32_t tag_ = 0;
  double encoding_seconds_ = 0;  // of both threads
  early::Send early_;            // while there is something to encode
};

}  // namespace tightwire::p2p
