// How much memory this process may have in all.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tightwire::history {

// Bytes: the machine's memory, or the least limit of the control groups that the process is in
// (versions 1 and 2), as job schedulers set them. `root` is where /proc and /sys stand. Reads some
// files; what cannot be read limits nothing. No errors.
[[nodiscard]] std::size_t host_memory(const std::filesystem::path& root = "/");

}  // namespace tightwire::history
