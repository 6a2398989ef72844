// Frames of encodings that are combined on their grid.
#pragma once

#include <span>

#include "codec/codec.h"
#include "wire/frame.h"
#include "wire/pack.h"

namespace tightwire::collective {

struct OpenedSums {
  wire::Unpacked state;  // what is wrong, if anything
  std::span<const std::byte> encoded;
};

[[nodiscard]] inline OpenedSums open_sums(std::span<const std::byte> frame,
                                          const wire::Expected& expected,
                                          codec::Id codec = codec::Id::bounded) {
  const wire::Opened opened = wire::open(frame, expected);
  wire::Unpacked state{opened.problem, opened.origin, opened.tried};
  if (!state.problem && opened.codec != codec) {
    state.problem = wire::Problem::unknown_codec;
  }
  return {state, opened.payload};
}

// Seals a frame whose payload, of so many bytes, stands in its place.
inline std::size_t seal_sums(std::span<std::byte> frame, std::size_t payload, wire::Kind kind,
                             codec::ElementType type, std::size_t value_bytes,
                             std::uint32_t sequence, codec::Id codec = codec::Id::bounded) {
  const std::size_t size = wire::header_size + payload;
  wire::seal(frame.first(size), {kind, codec, type, value_bytes, sequence, codec});
  return size;
}

inline constexpr wire::Unpacked undecodable_sums{
    wire::Problem::undecodable, {}, codec::Id::bounded};

}  // namespace tightwire::collective
