#include "collective/history/frame_encoder.h"

#include <cstring>

#include "codec/instances.h"
#include "mpi/byte_parts.h"
#include "mpi/encoding/early_send.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

// What earlier messages are like is not known before the send, so what is kept is encoded then.
FrameEncoder::FrameEncoder(mpi::Communicator& communicator, std::span<const std::byte> values,
                           std::size_t chunks, const codec::Encoding& encoding,
                           mpi::SentHistory& history)
    : values_(values), chunks_(chunks), encoding_(encoding), history_(history) {
  if (!history.to_keep()) {
    early_ = mpi::begin_early(values, chunks, encoding, communicator.network.bandwidth);
  } else if (encoding.codec->lossy()) {
    decoded_ = communicator.scratch.insist(values.size());
  }
}

std::size_t FrameEncoder::capacity() const {
  return wire::history_size + wire::packing_size(*encoding_.codec, encoding_.type,
                                                 mpi::longest_byte_part(values_.size(), chunks_));
}

std::span<const std::byte> FrameEncoder::encode(std::size_t chunk, std::uint32_t sequence,
                                                std::span<std::byte> room) {
  const runtime::ScopedPhase phase(runtime::Phase::encode,
                                   mpi::byte_part(values_, chunks_, chunk).size());
  const std::span<const std::byte> message = history_.to_keep()
                                                 ? encode_to_keep(chunk, sequence, room)
                                                 : encode_alone(chunk, sequence, room);
  bytes_after_ += message.size();
  if (chunk + 1 == chunks_) end();
  return message;
}

std::span<const std::byte> FrameEncoder::encode_alone(std::size_t chunk, std::uint32_t sequence,
                                                      std::span<std::byte> room) {
  const std::span<const std::byte> part = mpi::byte_part(values_, chunks_, chunk);
  const bool may_be_bare = part.size() >= wire::least_bare;
  if (may_be_bare && encoding_.codec->id() == codec::Id::raw) return part;
  const std::size_t size = mpi::pack_early(early_, chunk, encoding_, part, sequence, room);
  return may_be_bare && size >= part.size() ? part : room.first(size);
}

// Of a message that is kept every chunk is a frame, since these say so.
std::span<const std::byte> FrameEncoder::encode_to_keep(std::size_t chunk, std::uint32_t sequence,
                                                        std::span<std::byte> room) {
  if (!block_) block_ = history_.announce();
  const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
  const std::span<const std::byte> values = values_.subspan(part.begin, part.count);
  const codec::ReferenceParts references = history_.references(part.begin, part.count);
  codec::Parameters parameters = encoding_.parameters;
  parameters.references = references.all();
  const auto pack = [&](const codec::Codec& codec) {
    return wire::pack_remembered(codec, encoding_.type, values, parameters, *block_, sequence,
                                 room);
  };
  std::size_t size = pack(*encoding_.codec);
  if (wire::is_bare(size, values.size())) size = pack(codec::raw_codec());
  const std::span<const std::byte> frame = room.first(size);
  if (decoded_) {
    // What does not decode here is nothing that a receiver says it keeps.
    static_cast<void>(decode(frame, sequence, chunk,
                             decoded_.bytes().subspan(part.begin, part.count)));
  }
  return frame;
}

wire::Unpacked FrameEncoder::decode(std::span<const std::byte> message, std::uint32_t sequence,
                                    std::size_t chunk, std::span<std::byte> values) const {
  if (wire::is_bare(message.size(), values.size())) {
    std::memmove(values.data(), message.data(), message.size());
    return {};
  }
  const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
  const codec::ReferenceParts references = history_.references(part.begin, part.count);
  return wire::unpack(message, encoding_.type, sequence, values, references.all());
}

void FrameEncoder::end() {
  if (block_) {
    history_.keep(decoded_ ? decoded_.bytes().first(values_.size()) : values_);
    history_.accepted();
    if (history_.is_predicted()) {
      runtime::current().statistics.count_predicted(values_.size(), bytes_after_,
                                                    history_.ratio_alone());
    }
  } else if (history_.is_open()) {
    history_.pass(values_);
  }
}

}  // namespace tightwire::collective
