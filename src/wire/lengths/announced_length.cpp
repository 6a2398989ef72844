#include "wire/lengths/announced_length.h"

#include <xxhash.h>

#include <cstdint>

#include "wire/fields.h"
#include "wire/lengths/frame_length.h"

namespace tightwire::wire {
namespace {

constexpr std::size_t checksum_at = 16;

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), checksum_at);
}

}  // namespace

std::array<std::byte, announcement_size> write_announcement(const AnnouncedLength& announced) {
  std::array<std::byte, announcement_size> bytes{};
  put(bytes, 0, std::uint64_t{announced.length});
  put(bytes, 8, std::uint64_t{announced.message_bytes});
  put(bytes, checksum_at, checksum_of(bytes));
  return bytes;
}

std::optional<AnnouncedLength> read_announcement(std::span<const std::byte> bytes) {
  if (bytes.size() != announcement_size ||
      get<std::uint64_t>(bytes, checksum_at) != checksum_of(bytes)) {
    return std::nullopt;
  }
  const AnnouncedLength read{get<std::uint64_t>(bytes, 0), get<std::uint64_t>(bytes, 8)};
  const bool possible = is_announced_length(read.length) && read.message_bytes >= read.length;
  return possible ? std::optional(read) : std::nullopt;
}

}  // namespace tightwire::wire
