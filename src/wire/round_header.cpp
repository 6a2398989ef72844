#include "wire/round_header.h"

#include <xxhash.h>

#include "wire/fields.h"

namespace tightwire::wire {
namespace {

constexpr std::array<std::uint8_t, 4> magic{'T', 'W', 'r', 0x1a};
constexpr std::size_t version_offset = 24;
constexpr std::size_t magic_offset = 28;
constexpr std::size_t checksum_offset = 32;

std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), checksum_offset);
}

}  // namespace

std::array<std::byte, round_header_size> write_round_header(const RoundHeader& header) {
  std::array<std::byte, round_header_size> bytes{};
  put(bytes, 0, header.value_bytes);
  put(bytes, 8, header.batch_bytes);
  put(bytes, 16, header.pieces);
  put(bytes, 20, header.tag);
  put(bytes, version_offset, round_header_version);
  put(bytes, magic_offset, magic);
  put(bytes, checksum_offset, checksum_of(bytes));
  return bytes;
}

ReadRoundHeader read_round_header(std::span<const std::byte> bytes, std::uint64_t value_bytes) {
  if (bytes.size() != round_header_size) return {Problem::truncated, {}};
  if (get<std::array<std::uint8_t, 4>>(bytes, magic_offset) != magic) {
    return {Problem::foreign, {}};
  }
  if (get<std::uint8_t>(bytes, version_offset) != round_header_version) {
    return {Problem::other_version, {}};
  }
  if (get<std::uint64_t>(bytes, checksum_offset) != checksum_of(bytes)) {
    return {Problem::checksum, {}};
  }
  const RoundHeader header{get<std::uint64_t>(bytes, 0), get<std::uint64_t>(bytes, 8),
                           get<std::uint32_t>(bytes, 16), get<std::uint32_t>(bytes, 20)};
  const bool possible = header.value_bytes == value_bytes && header.batch_bytes > 0 &&
                        header.batch_bytes <= value_bytes && header.pieces > 0 &&
                        header.pieces <= header.batch_bytes;
  if (!possible) return {Problem::mismatch, {}};
  return {std::nullopt, header};
}

}  // namespace tightwire::wire
