// What a recording of messages looks like: docs/user/recordings.md. One file for each rank, which
// holds the messages that it sent, each behind a header. All numbers are little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "codec/codec.h"

namespace tightwire::recording {

inline constexpr std::string_view file_magic = "TWRECORD";
inline constexpr std::uint32_t version = 1;
inline constexpr std::size_t file_header_size = 32;
inline constexpr std::uint32_t message_magic = 0x4D575431;
inline constexpr std::size_t message_header_size = 64;
inline constexpr std::size_t longest_function = 24;

inline constexpr std::int32_t nobody = -1;  // as the peer: all ranks
inline constexpr std::int32_t no_tag = -1;

struct FileHeader {
  std::uint32_t rank = 0;
  std::uint32_t ranks = 0;
};

// A message, or what a rank puts into a collective.
struct MessageHeader {
  std::string_view function;       // "MPI_Isend"; at most longest_function characters
  std::uint32_t communicator = 0;  // a number for each, in the order in which they were first met
  std::int32_t peer = nobody;      // a rank of the communicator
  std::int32_t tag = no_tag;
  codec::ElementType type = codec::ElementType::bytes;
  std::uint64_t bytes = 0;        // of the values, which follow
  std::uint64_t nanoseconds = 0;  // since the recording began
};

[[nodiscard]] std::array<std::byte, file_header_size> to_bytes(const FileHeader& header);
[[nodiscard]] std::array<std::byte, message_header_size> to_bytes(const MessageHeader& header);

}  // namespace tightwire::recording
