#include "wire/transfer_report.h"

#include <xxhash.h>

#include <cmath>
#include <cstdint>

#include "wire/fields.h"

namespace tightwire::wire {
namespace {

constexpr std::size_t hash_offset = 24;

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), hash_offset);
}

bool is_time(double seconds) {
  return std::isfinite(seconds) && seconds >= 0;
}

}  // namespace

std::array<std::byte, report_size> write_report(const policy::TransferReport& report) {
  std::array<std::byte, report_size> bytes{};
  put(bytes, 0, report.seconds_per_byte);
  put(bytes, 8, report.of_network);
  put(bytes, 16, static_cast<std::uint8_t>(report.size_class));
  put(bytes, hash_offset, hash_of(bytes));
  return bytes;
}

std::optional<policy::TransferReport> read_report(std::span<const std::byte> bytes) {
  if (bytes.size() != report_size || get<std::uint64_t>(bytes, hash_offset) != hash_of(bytes)) {
    return std::nullopt;
  }
  const policy::TransferReport report{get<std::uint8_t>(bytes, 16), get<double>(bytes, 0),
                                      get<double>(bytes, 8)};
  return is_time(report.seconds_per_byte) && is_time(report.of_network) ? std::optional(report)
                                                                        : std::nullopt;
}

}  // namespace tightwire::wire
