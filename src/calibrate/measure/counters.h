// Bytes that really crossed the network, from the kernel's counters.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tightwire::calibrate {

// Bytes sent by all interfaces but the loopback, in the format of /proc/net/dev; nothing if the
// text has another format.
[[nodiscard]] std::optional<std::uint64_t> sent_bytes(std::string_view proc_net_dev);

// The same of this process's network namespace, since it came up. 0 where it cannot be read.
[[nodiscard]] std::uint64_t sent_bytes();

}  // namespace tightwire::calibrate
