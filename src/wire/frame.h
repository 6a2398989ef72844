// A frame: one encoded chunk of a message as it crosses the network.
//
//   offset  size  field (little endian)
//        0     4  magic "TWf\x1a"
//        4     1  version of the frame format
//        5     1  kind: 1 data, 2 failure, 3 data that the receiver is to remember: the payload
//                 begins with a block (history.h), and may be predicted from earlier messages,
//                 4 no data: the message comes without frames, as its sender has it, after this one
//        6     1  codec id
//        7     1  element type
//        8     8  size of the chunk's values in bytes; kind 4: of the message's
//       16     8  payload size in bytes
//       24     4  sequence: place of the chunk in its stream, from 0, in 24 bits; the highest byte
//                 counts the calls of a communicator, so that a frame too many is never taken for
//                 one of the next call
//       28     1  codec that the sender tried; differs from the codec where that gave no gain
//       29     1  kinds 1 and 4, in the first frame of a message: 1 if the next message like it
//                 comes without frames; else 0
//       30     2  reserved, 0
//       32     8  XXH3-64 of the payload, seeded with the XXH3-64 of bytes 0..31
//       40        payload
//
// A receiver knows what it waits for (sequence, size of the values, mostly the element type), so
// the header is checked against that: a frame that is not exactly the expected one is a Problem,
// never data.
//
// No MPI, no allocation, no exceptions; safe for concurrent use on distinct buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/codec.h"

namespace tightwire::wire {

inline constexpr std::uint8_t format_version = 1;
inline constexpr std::size_t header_size = 40;

enum class Kind : std::uint8_t { data = 1, failure = 2, remembered = 3, unframed = 4 };

[[nodiscard]] constexpr std::uint32_t sequence_in_call(unsigned call, std::size_t place) {
  return call << 24 | (static_cast<std::uint32_t>(place) & 0xffffff);
}
[[nodiscard]] constexpr std::uint32_t place_in_call(std::uint32_t sequence) {
  return sequence & 0xffffff;
}

// What the receiver waits for.
struct Expected {
  std::optional<codec::ElementType> type;  // nothing: only the sender knows it
  std::uint64_t value_bytes = 0;
  std::uint32_t sequence = 0;
};

// Why a received frame is not used.
enum class Problem : std::uint8_t {
  truncated,      // shorter or longer than its header says, or than a header
  foreign,        // not a tightwire frame at all
  other_version,  // made by another version of tightwire
  checksum,       // bits changed on the way
  out_of_order,   // a frame of another place in the stream
  mismatch,       // another element type or size than the call on this rank has
  unknown_codec,  // made by a codec that this build does not have
  undecodable,    // the payload does not decode
  peer_failed,    // a failure frame: another rank could not go on
  repeated,       // it has come before
  no_reference,   // predicted from messages that are not here, or are others
};
inline constexpr std::size_t problem_count = 11;

[[nodiscard]] std::string_view describe(Problem problem);

// Where a failure began: the rank that could not use a frame, and why.
struct Origin {
  std::uint32_t rank = 0;
  Problem problem = Problem::foreign;
};

struct Header {
  Kind kind = Kind::data;
  codec::Id codec = codec::Id::raw;
  codec::ElementType type = codec::ElementType::bytes;
  std::uint64_t value_bytes = 0;
  std::uint32_t sequence = 0;
  codec::Id tried = codec::Id::raw;
  bool next_unframed = false;
};

// Writes the header in front of a payload that already stands at frame[header_size].
void seal(std::span<std::byte> frame, const Header& header);

struct Opened {
  std::optional<Problem> problem;
  codec::Id codec = codec::Id::raw;
  codec::ElementType type = codec::ElementType::bytes;
  codec::Id tried = codec::Id::raw;
  std::span<const std::byte> payload;  // without a block
  Origin origin;                       // Problem::peer_failed: the first failure
};

// Checks everything but the payload's own encoding.
[[nodiscard]] Opened open(std::span<const std::byte> frame, const Expected& expected);

// The kind of a frame that is whole, undamaged and the one of that place; nothing of any other.
[[nodiscard]] std::optional<Kind> kind_of(std::span<const std::byte> frame, std::uint32_t sequence);

// Into a frame of values: that the next message like this one comes without frames. And whether a
// frame that has been opened says so.
void tell_next_unframed(std::span<std::byte> frame);
[[nodiscard]] bool next_is_unframed(std::span<const std::byte> frame);

// The frame in front of a message that its sender leaves as it is, of header_size bytes; `next`:
// whether the next one like it comes without frames, too.
void write_unframed(std::span<std::byte> frame, std::uint64_t value_bytes, std::uint32_t sequence,
                    bool next);
struct UnframedNotice {
  std::optional<Problem> problem;  // then it says nothing
  bool next = false;
};
[[nodiscard]] UnframedNotice open_unframed(std::span<const std::byte> frame,
                                           std::uint64_t value_bytes, std::uint32_t sequence);

inline constexpr std::size_t failure_frame_size = header_size + 5;

// Says to the next rank that this stream has no data because of `origin`. Payload: its rank (4
// bytes) and problem (1).
// frame.size() >= failure_frame_size; returns the size written.
std::size_t write_failure(std::span<std::byte> frame, std::uint32_t sequence, const Origin& origin);

}  // namespace tightwire::wire
