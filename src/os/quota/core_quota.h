// How much processor time the control groups of this process let it have.
#pragma once

#include <cstddef>
#include <filesystem>

namespace tightwire::os {

// In cores, such as 2.5; infinite where nothing limits it. Shared by all that is in the group.
// `root`: of a file system with its /proc and /sys. Throws std::bad_alloc.
[[nodiscard]] double core_quota(const std::filesystem::path& root = "/");

// Whole cores for each of so many processes in the group: its part of that quota, but no more than
// its `share` of the cores that it may run on, and no less than one.
[[nodiscard]] std::size_t cores_of_each(std::size_t processes, double share,
                                        const std::filesystem::path& root = "/");

}  // namespace tightwire::os
