// What the receiver of messages tells their sender of how long they took: a message of its own.
//
//   offset size  field (little endian)
//        0    8  seconds for each byte of values, IEEE 754
//        8    8  the same of the network alone, IEEE 754
//       16    1  size class
//       17    1  how many times as fast the receiver codes with its helpers as alone, in eighths
//                rounded down: 8 to 255, which is that or more
//       18    6  reserved, 0
//       24    8  XXH3-64 of bytes 0..23
//
// No MPI, no allocation, no exceptions; safe for concurrent use on distinct buffers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "policy/tuning/messages/transfer_times.h"

namespace tightwire::wire {

inline constexpr std::size_t report_size = 32;

[[nodiscard]] std::array<std::byte, report_size> write_report(const policy::TransferReport& report);
// Nothing where it is damaged, or its times or its speed-up are none.
[[nodiscard]] std::optional<policy::TransferReport> read_report(std::span<const std::byte> bytes);

}  // namespace tightwire::wire
