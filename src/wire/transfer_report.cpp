#include "wire/transfer_report.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "wire/fields.h"

namespace tightwire::wire {
namespace {

constexpr std::size_t speedup_offset = 17;
constexpr std::size_t hash_offset = 24;

constexpr std::uint8_t alone = 8;  // eighths

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), hash_offset);
}

bool is_time(double seconds) {
  return std::isfinite(seconds) && seconds >= 0;
}

// What is no number, too, is that of a rank without helpers.
std::uint8_t eighths(double speedup) {
  constexpr double most = std::numeric_limits<std::uint8_t>::max();
  return speedup > 1 ? static_cast<std::uint8_t>(std::min(alone * speedup, most)) : alone;
}

}  // namespace

std::array<std::byte, report_size> write_report(const policy::TransferReport& report) {
  std::array<std::byte, report_size> bytes{};
  put(bytes, 0, report.seconds_per_byte);
  put(bytes, 8, report.of_network);
  put(bytes, 16, static_cast<std::uint8_t>(report.size_class));
  put(bytes, speedup_offset, eighths(report.coding_speedup));
  put(bytes, hash_offset, hash_of(bytes));
  return bytes;
}

std::optional<policy::TransferReport> read_report(std::span<const std::byte> bytes) {
  if (bytes.size() != report_size || get<std::uint64_t>(bytes, hash_offset) != hash_of(bytes)) {
    return std::nullopt;
  }
  const auto speedup = get<std::uint8_t>(bytes, speedup_offset);
  const policy::TransferReport report{get<std::uint8_t>(bytes, 16), get<double>(bytes, 0),
                                      get<double>(bytes, 8), static_cast<double>(speedup) / alone};
  const bool sound =
      is_time(report.seconds_per_byte) && is_time(report.of_network) && speedup >= alone;
  return sound ? std::optional(report) : std::nullopt;
}

}  // namespace tightwire::wire
