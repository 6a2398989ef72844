// Which cores have the same memory near them.
#pragma once

#include <sched.h>

#include <string>
#include <vector>

namespace tightwire::os {

inline constexpr const char* folder_of_nodes = "/sys/devices/system/node";

// The cores of each node of the machine that has any; empty where the system does not tell.
[[nodiscard]] std::vector<cpu_set_t> numa_nodes(const std::string& folder = folder_of_nodes);

// Those cores of the mask that are on the node of `core`; all of the mask where the node is not
// known or has fewer than `least` of it.
[[nodiscard]] cpu_set_t cores_near(int core, const cpu_set_t& mask,
                                   const std::vector<cpu_set_t>& nodes, int least);

}  // namespace tightwire::os
