#include "collective/history/frame_encoder.h"

#include "codec/estimate/estimate.h"
#include "mpi/byte_parts.h"
#include "mpi/clock/own_seconds.h"
#include "mpi/encoding/early_send.h"
#include "mpi/encoding/own_speeds.h"
#include "mpi/encoding/sample_choice.h"
#include "mpi/error.h"
#include "runtime/runtime.h"

namespace tightwire::collective {
namespace {

constexpr std::size_t worth_timing = std::size_t{64} << 10;

}  // namespace

// What earlier messages are like is not known before the send, so what is kept is encoded then.
FrameEncoder::FrameEncoder(mpi::Communicator& communicator, std::span<const std::byte> values,
                           std::size_t chunks, const codec::Encoding& encoding,
                           mpi::SentHistory& history, ValuesOnDevice on_device)
    : values_(values),
      chunks_(chunks),
      encoding_(encoding),
      history_(history),
      on_device_(std::move(on_device)),
      pieces_(mpi::pieces_at(values.data())),
      rank_(static_cast<std::uint32_t>(communicator.program_rank(communicator.rank))) {
  if (on_device_.buffer != nullptr) return;
  if (!history.to_keep() && mpi::codes_early()) {
    mpi::wait_for_pieces(values);
    early_ = mpi::begin_early(values, chunks, encoding, communicator.network.bandwidth);
  } else if (history.to_keep() && encoding.codec->lossy()) {
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
  const std::span<const std::byte> values = mpi::byte_part(values_, chunks_, chunk);
  if (pieces_ != nullptr && !pieces_->is_here(values)) {
    return wire::write_failure(frame, sequence, {rank_, wire::Problem::undecodable});
  }
  const runtime::ScopedPhase phase(runtime::Phase::encode, values.size());
  if (on_device_.buffer != nullptr) {
    const std::size_t size = encode_there(values, sequence, frame);
    if (size > 0) return size;
  }
  if (block_) return encode_to_keep(chunk, sequence, frame);
  const bool is_measure = values.size() >= worth_timing && !early_.tracked();
  const double begin = is_measure ? mpi::core_seconds() : 0;
  const std::size_t size = mpi::pack_early(early_, chunk, encoding_, values, sequence, frame);
  if (is_measure) note_speed(values.size(), size, mpi::core_seconds() - begin);
  return size;
}

std::size_t FrameEncoder::encode_there(std::span<const std::byte> values, std::uint32_t sequence,
                                       std::span<std::byte> frame) const {
  const std::size_t size = frame_made_there(on_device_, values, encoding_, sequence, frame);
  if (size > 0) return size;
  try {
    on_device_.buffer->fetch(values);
    return 0;
  } catch (const mpi::MpiError&) {
    return wire::write_failure(frame, sequence, {rank_, wire::Problem::undecodable});
  }
}

void FrameEncoder::note_speed(std::size_t bytes, std::size_t size, double took) {
  timed_ += bytes;
  took_ += took;
  if (size >= bytes) return;
  codec::Prediction made{encoding_.codec->id(),
                         static_cast<double>(bytes) / static_cast<double>(size)};
  made.second_stage = encoding_.parameters.second_stage;
  codec::predict_times(encoding_.type, bytes, made);
  mpi::own_speeds().add({made.codec, made.second_stage}, made.encode_seconds, took);
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
  // What could not be copied is nothing to go by later.
  if (pieces_ != nullptr && !pieces_->is_here(values_)) return;
  const bool is_as_sampled = on_device_.buffer == nullptr && !history_.is_predicted();
  const double seconds = timed_ == values_.size() ? took_.load() : 0;
  if (is_as_sampled) mpi::came_to(values_, encoding_, bytes_after_, seconds);
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
