// What a frame between two ranks says of the earlier messages that it is predicted from, and what
// its receiver answers.
//
// A channel is what one process sends to another again and again: messages of one size and type
// with one tag. The sender numbers its channels and their messages. It predicts a message only from
// such that the receiver has said it keeps, with the hash of what it keeps; the frame names them
// and holds a checksum of them. So a wrong reference is found out before anything is decoded.
//
//   block, before the trailer of a frame        answer, a message of its own
//   offset size  field (little endian)          offset size  field
//        0    8  number of the message               0    8  number of the message
//        8    8  the oldest that is still needed     8    8  XXH3-64 of what is kept
//       16    8  checksum of the references         16    4  channel
//       24    4  channel                            20    1  kind
//       28    2  spacing of the references          21    3  reserved, 0
//       30    1  how many there are                 24    8  XXH3-64 of bytes 0..23
//       31    1  reserved, 0
//       32    8  XXH3-64 of bytes 0..31
//
// The references of message n are n - spacing, n - 2 spacing, ..., the nearest first.
//
// No MPI, no allocation, no exceptions; safe for concurrent use on distinct buffers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tightwire::wire {

inline constexpr std::size_t history_size = 40;

struct HistoryBlock {
  std::uint32_t channel = 0;
  std::uint64_t number = 0;
  std::uint64_t oldest = 0;    // what is older is not referred to any more
  std::uint64_t checksum = 0;  // combined_hash() of what it is predicted from
  std::uint16_t spacing = 0;   // 0 where it is predicted from none
  std::uint8_t references = 0;
  bool operator==(const HistoryBlock&) const = default;
};

[[nodiscard]] std::array<std::byte, history_size> write_history(const HistoryBlock& block);
// Nothing where the block is damaged, or no sender writes such a one.
[[nodiscard]] std::optional<HistoryBlock> read_history(std::span<const std::byte> bytes);

// Of a message, to be kept with it.
[[nodiscard]] std::uint64_t content_hash(std::span<const std::byte> message);
// Of the messages with these hashes, in this order.
[[nodiscard]] std::uint64_t combined_hash(std::span<const std::uint64_t> hashes);

inline constexpr std::size_t answer_size = 32;

struct HistoryAnswer {
  enum class Kind : std::uint8_t {
    kept = 1,      // the receiver has it
    not_kept = 2,  // it came to its end without: truncated, say
    no_room = 3,   // the same, for want of memory
    forget = 4,    // from the sender: the channel is not used any more
  };
  Kind kind = Kind::kept;
  std::uint32_t channel = 0;
  std::uint64_t number = 0;
  std::uint64_t hash = 0;
  bool operator==(const HistoryAnswer&) const = default;
};

[[nodiscard]] std::array<std::byte, answer_size> write_answer(const HistoryAnswer& answer);
[[nodiscard]] std::optional<HistoryAnswer> read_answer(std::span<const std::byte> bytes);

}  // namespace tightwire::wire
