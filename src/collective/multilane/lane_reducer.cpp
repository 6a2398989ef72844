#include "collective/multilane/lane_reducer.h"

#include <cstring>

namespace tightwire::collective {

std::span<const std::byte> LaneReducer::contribution(std::uint32_t sequence) const {
  return stage_.contribution(stage_.place_of(sequence).chunk);
}

std::size_t LaneReducer::start(std::span<const std::byte>, std::uint32_t sequence,
                               std::span<std::byte> frame) {
  const std::span<const std::byte> host = contribution(sequence);
  std::memcpy(frame.data(), host.data(), host.size());
  return host.size();
}

FrameReducer::Merged LaneReducer::merge(std::span<const std::byte> incoming,
                                        std::span<const std::byte> own, std::uint32_t sequence,
                                        std::span<std::byte> frame) {
  const Combined combined =
      inner_.combine(incoming, contribution(sequence), own.size(), sequence, frame);
  return {combined.first.problem ? combined.first : combined.second, combined.size};
}

wire::Unpacked LaneReducer::finish(std::span<const std::byte> frame, std::uint32_t sequence,
                                   std::span<std::byte> values) {
  if (result_ != Result::decoded) stage_.keep(stage_.place_of(sequence).chunk, frame);
  return result_ == Result::kept ? wire::Unpacked{} : inner_.finish(frame, sequence, values);
}

}  // namespace tightwire::collective
