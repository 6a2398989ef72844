#include "collective/history/frame_decoder.h"

#include "mpi/byte_parts.h"
#include "runtime/report/phase.h"

namespace tightwire::collective {

std::size_t FrameDecoder::capacity() const {
  return wire::history_size + wire::max_frame_size(mpi::longest_byte_part(values_.size(), chunks_));
}

void FrameDecoder::expect(std::span<const std::byte> frame) {
  if (history_) return;
  const auto block = wire::history_of(frame);
  if (!block) return;
  history_.emplace(communicator_->hosts->world_rank(sender_), *block);
  is_repeated_ = history_->is_repeated();
  has_references_ = history_->find_references(values_.size());
}

wire::Unpacked FrameDecoder::decode(std::span<const std::byte> frame, std::uint32_t sequence,
                                    std::size_t chunk) const {
  const runtime::ScopedPhase phase(runtime::Phase::decode,
                                   mpi::byte_range(values_.size(), chunks_, chunk).count);
  if (on_device_ == nullptr) return unpack(frame, sequence, chunk);
  const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
  const std::span<std::byte> image = values_.subspan(part.begin, part.count);
  const auto read = frame_read_there(*on_device_, frame, sequence, image);
  return read ? *read : put_there(*on_device_, unpack(frame, sequence, chunk), image);
}

void FrameDecoder::decoded(std::size_t chunk, const wire::Unpacked& unpacked) {
  failed_ = failed_ || unpacked.problem.has_value();
  if (pieces_ != nullptr && on_device_ == nullptr && !failed_) {
    pieces_->written(mpi::byte_part(values_, chunks_, chunk));
  }
  if (chunk + 1 == chunks_ && history_) end();
}

wire::Unpacked FrameDecoder::unpack(std::span<const std::byte> frame, std::uint32_t sequence,
                                    std::size_t chunk) const {
  const mpi::Part part = mpi::byte_range(values_.size(), chunks_, chunk);
  const std::span<std::byte> values = values_.subspan(part.begin, part.count);
  const auto block = wire::history_of(frame);
  if (!block) return wire::unpack(frame, std::nullopt, sequence, values);
  if (is_repeated_) return {wire::Problem::repeated, {}, codec::Id::raw};
  if (!has_references_ || !(history_->block() == *block)) {
    return {wire::Problem::no_reference, {}, codec::Id::raw};
  }
  return wire::unpack(frame, std::nullopt, sequence, values,
                      history_->references(part.begin, part.count).all());
}

void FrameDecoder::end() const {
  failed_ ? history_->leave() : history_->keep(values_);
}

}  // namespace tightwire::collective
