// What a round of partitioned communication begins with: how its values are cut into chunks, and
// what names them. Each chunk is a frame (frame.h) whose sequence is its place.
//
//   offset  size  field (little endian)
//        0     8  size of all values in bytes
//        8     8  bytes of a batch
//       16     4  pieces of a batch
//       20     4  tag of the chunks that follow
//       24     1  version of the format
//       25     3  reserved, 0
//       28     4  magic "TWr\x1a"
//       32     8  XXH3-64 of bytes 0..31
//
// No MPI, no allocation, no exceptions; safe for concurrent use on distinct buffers.
#pragma once

#include <array>

#include "wire/frame.h"

namespace tightwire::wire {

inline constexpr std::uint8_t round_header_version = 1;
inline constexpr std::size_t round_header_size = 40;

// Values are sent batch by batch, as these become ready, each in so many pieces. The last batch may
// be smaller.
struct RoundHeader {
  std::uint64_t value_bytes = 0;
  std::uint64_t batch_bytes = 0;
  std::uint32_t pieces = 1;
  std::uint32_t tag = 0;
};

[[nodiscard]] std::array<std::byte, round_header_size> write_round_header(
    const RoundHeader& header);

struct ReadRoundHeader {
  std::optional<Problem> problem;
  RoundHeader header;
};

// `value_bytes` is what the receiver waits for.
[[nodiscard]] ReadRoundHeader read_round_header(std::span<const std::byte> bytes,
                                                std::uint64_t value_bytes);

}  // namespace tightwire::wire
