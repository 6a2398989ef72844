#include "collective/history/frame_encoder.h"

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
  if (history.to_keep() && chunks > 0) block_ = history.announce();
}

std::size_t FrameEncoder::capacity() const {
  return wire::history_size + wire::packing_size(*encoding_.codec, encoding_.type,
                                                 mpi::longest_byte_part(values_.size(), chunks_));
}

std::size_t FrameEncoder::encode(std::size_t chunk, std::uint32_t sequence,
                                 std::span<std::byte> frame) {
  const runtime::ScopedPhase phase(runtime::Phase::encode,
                                   mpi::byte_part(values_, chunks_, chunk).size());
  if (block_) return encode_to_keep(chunk, sequence, frame);
  return mpi::pack_early(early_, chunk, encoding_, mpi::byte_part(values_, chunks_, chunk),
                         sequence, frame);
}

void FrameEncoder::encoded(std::size_t chunk, std::size_t size) {
  bytes_after_ += size;
  if (chunk + 1 == chunks_) end();
}

std::size_t FrameEncoder::encode_to_keep(std::size_t chunk, std::uint32_t sequence,
                                         std::span<std::byte> frame) const {
  const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
  const codec::ReferenceParts references = history_.references(part.begin, part.count);
  codec::Parameters parameters = encoding_.parameters;
  parameters.references = references.all();
  const std::size_t size = wire::pack_remembered(*encoding_.codec, encoding_.type,
                                                 values_.subspan(part.begin, part.count),
                                                 parameters, *block_, sequence, frame);
  if (decoded_) {
    // What does not decode here is nothing that a receiver says it keeps.
    static_cast<void>(decode(frame.first(size), sequence, chunk,
                             decoded_.bytes().subspan(part.begin, part.count)));
  }
  return size;
}

wire::Unpacked FrameEncoder::decode(std::span<const std::byte> frame, std::uint32_t sequence,
                                    std::size_t chunk, std::span<std::byte> values) const {
  const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
  const codec::ReferenceParts references = history_.references(part.begin, part.count);
  return wire::unpack(frame, encoding_.type, sequence, values, references.all());
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
