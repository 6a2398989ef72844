// The control groups of Linux that this process is in, by which a job has a part of a machine.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tightwire::os {

// The folders in which the limits of a controller ("memory", "cpu") may stand: of the process's
// group and of all that it is part of, in either version of control groups. Not all need be there.
// `root`: of a file system with its /proc and /sys. Throws std::bad_alloc.
[[nodiscard]] std::vector<std::filesystem::path> control_groups(const std::filesystem::path& root,
                                                                std::string_view controller);

}  // namespace tightwire::os
