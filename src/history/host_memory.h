// How much memory this process may have in all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>

namespace tightwire::history {

// Bytes: the machine's memory, or the least limit of the control groups that the process is in
// (versions 1 and 2), as job schedulers set them. `root` is where /proc and /sys stand. Reads some
// files; what cannot be read limits nothing. No errors.
[[nodiscard]] std::size_t host_memory(const std::filesystem::path& root = "/");

// What the ranks of a host may keep of messages together where the user names nothing, and what one
// of them may: so little that no program notices. It is taken as messages prove to be worth
// keeping.
[[nodiscard]] inline std::size_t usual_memory_of_host() {
  return host_memory() / 32;
}
[[nodiscard]] inline std::size_t usual_memory(std::size_t ranks_of_host) {
  constexpr std::size_t most = std::size_t{256} << 20;
  return std::min(most, usual_memory_of_host() / std::max<std::size_t>(1, ranks_of_host));
}

}  // namespace tightwire::history
