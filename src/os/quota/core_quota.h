// How much processor time the control groups of this process let it have.
#pragma once

#include <filesystem>

namespace tightwire::os {

// In cores, such as 2.5; infinite where nothing limits it. Shared by all that is in the group.
// `root`: of a file system with its /proc and /sys. Throws std::bad_alloc.
[[nodiscard]] double core_quota(const std::filesystem::path& root = "/");

}  // namespace tightwire::os
