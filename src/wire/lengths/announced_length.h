// How long the messages are that a sender sends with a certain length: a message of its own, once
// for each such length and receiver.
//
//   offset size  field (little endian)
//        0    8  length on the wire, one that is announced (wire/lengths/frame_length.h)
//        8    8  size of the program's message in bytes
//       16    8  XXH3-64 of bytes 0..15
//
// No MPI, no allocation, no exceptions; safe for concurrent use on distinct buffers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace tightwire::wire {

inline constexpr std::size_t announcement_size = 24;

struct AnnouncedLength {
  std::size_t length = 0;
  std::size_t message_bytes = 0;

  friend bool operator==(const AnnouncedLength&, const AnnouncedLength&) = default;
};

[[nodiscard]] std::array<std::byte, announcement_size> write_announcement(
    const AnnouncedLength& announced);
// Nothing where it is damaged, or one that no sender makes.
[[nodiscard]] std::optional<AnnouncedLength> read_announcement(std::span<const std::byte> bytes);

}  // namespace tightwire::wire
