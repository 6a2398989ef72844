#include "wire/transfer_report.h"

#include <xxhash.h>

#include <cmath>
#include <cstdint>

#include "wire/fields.h"

namespace tightwire::wire {
namespace {

constexpr std::size_t hash_offset = 16;

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), hash_offset);
}

}  // namespace

std::array<std::byte, report_size> write_report(const policy::TransferReport& report) {
  std::array<std::byte, report_size> bytes{};
  put(bytes, 0, report.seconds_per_byte);
  put(bytes, 8, static_cast<std::uint8_t>(report.size_class));
  put(bytes, hash_offset, hash_of(bytes));
  return bytes;
}

std::optional<policy::TransferReport> read_report(std::span<const std::byte> bytes) {
  if (bytes.size() != report_size || get<std::uint64_t>(bytes, hash_offset) != hash_of(bytes)) {
    return std::nullopt;
  }
  const policy::TransferReport report{get<std::uint8_t>(bytes, 8), get<double>(bytes, 0)};
  const bool possible = std::isfinite(report.seconds_per_byte) && report.seconds_per_byte >= 0;
  return possible ? std::optional(report) : std::nullopt;
}

}  // namespace tightwire::wire
