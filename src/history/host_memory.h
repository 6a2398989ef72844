// How much memory this process may have in all.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tightwire::history {

// Bytes: the machine's memory, or the least limit of the control groups that the process is in
// (versions 1 and 2), as job schedulers set them. `root` is where /proc and /sys stand. Reads some
// files; what cannot be read limits nothing. No errors.
[[nodiscard]] std::size_t host_memory(const std::filesystem::path& root = "/");

// What the ranks of a host may keep of messages together, and one at most, where the user names
// nothing: so little that no program notices. It is taken as messages prove to be worth keeping.
inline constexpr std::size_t usual_part_of_host = 32;
inline constexpr std::size_t most_usual_memory = std::size_t{256} << 20;

}  // namespace tightwire::history
