// A point-to-point message on the wire: the message itself, or a frame in place of it, which is
// a mark, what it carries, and a trailer that says what that is.
//
// A message that is passed through unmodified has nothing added. It is told from a frame by what it
// holds: the sender looks for marks in it as the receiver will, and a message that has one goes as
// a stored frame. So it is certain, not likely, that the receiver sees what was meant.
//
// A frame is never longer than the message of the program that it stands for, so it fits
// the buffer of any receive that the message itself would fit. Hence the description stands at the
// end, and a stored message gives up as many of its last bytes for it, or more where it is to have
// another length (wire/lengths/frame_length.h): they follow on their own, as trailing bytes. Before
// the trailer may stand what the frame says of earlier messages (wire/history.h): both together are
// the frame's end.
//
//   offset  size  field (little endian)
//        0     8  size of the program's message in bytes
//        8     8  payload size in bytes
//       16     8  XXH3-64 of the payload; 0 for a stored message
//       24     4  tag of the messages that follow this one
//       28     4  chunks that follow
//       32     1  kind: 1 stored, 2 encoded
//       33     1  codec id
//       34     1  element type
//       35     1  codec that the sender tried
//       36     1  version of the format
//       37     1  1 if a history block stands before the trailer, else 0
//       38     2  reserved, 0
//       40     8  number of the frame among those from its sender to its receiver, from 0
//       48     8  XXH3-64 of bytes 0..47
//       56     8  mark
//
// No MPI, no allocation, no exceptions; safe for concurrent use on distinct buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "wire/frame.h"
#include "wire/history.h"

namespace tightwire::wire {

inline constexpr std::uint8_t trailer_version = 4;
inline constexpr std::size_t trailer_size = 64;

// What an encoded message begins with, so that it is known for one even if its end is lost.
inline constexpr std::size_t mark_size = 8;
// Trailer, and history block if there is one.
[[nodiscard]] constexpr std::size_t end_size(bool has_history) {
  return trailer_size + (has_history ? history_size : 0);
}
// What an encoded message takes besides its payload.
[[nodiscard]] constexpr std::size_t overhead(bool has_history) {
  return mark_size + end_size(has_history);
}

[[nodiscard]] std::array<std::byte, mark_size> write_mark();

// Whether the message has the mark of a frame at its front or its end, or nearly so: a frame with
// up to 8 wrong bits in a mark is taken for one, and found to be damaged.
[[nodiscard]] bool looks_framed(std::span<const std::byte> message);

enum class FrameKind : std::uint8_t {
  stored = 1,   // the message's own bytes but for the last ones
  encoded = 2,  // the mark, a codec's encoding, then perhaps padding
};

struct Trailer {
  FrameKind kind = FrameKind::stored;
  codec::Id codec = codec::Id::raw;
  codec::ElementType type = codec::ElementType::bytes;
  codec::Id tried = codec::Id::raw;
  std::uint64_t value_bytes = 0;
  std::uint64_t payload_bytes = 0;
  std::uint32_t tag = 0;
  std::uint32_t chunks = 0;
  std::uint64_t number = 0;
  bool has_history = false;
};

// `payload` is what the checksum covers: empty for a stored message, whose bytes travel as
// trustworthily as without us.
[[nodiscard]] std::array<std::byte, trailer_size> write_trailer(const Trailer& trailer,
                                                                std::span<const std::byte> payload);

struct ReadTrailer {
  std::optional<Problem> problem;
  Trailer trailer;
  std::uint64_t checksum = 0;

  // Whether these are the bytes that the sender meant.
  [[nodiscard]] bool matches(std::span<const std::byte> payload) const;
};

// `bytes` are the last trailer_size of a message of `message_size`.
[[nodiscard]] ReadTrailer read_trailer(std::span<const std::byte> bytes, std::size_t message_size);

// What follows a stored message: the bytes that it does not hold, and a checksum of them and the
// tag.
[[nodiscard]] constexpr std::size_t trailing_size(std::size_t bytes) {
  return bytes + 8;
}
// `to` has as many bytes as that.
void write_trailing_bytes(std::span<const std::byte> last, std::uint32_t tag,
                          std::span<std::byte> to);
// The last bytes, or nothing if `trailing` is damaged or of another tag.
[[nodiscard]] std::optional<std::span<const std::byte>> read_trailing_bytes(
    std::span<const std::byte> trailing, std::uint32_t tag);

}  // namespace tightwire::wire
