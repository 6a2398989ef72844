#include "os/numa/nodes.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "os/cores/idle_core.h"

namespace tightwire::os {
namespace {

bool is_node(const std::string& name) {
  return name.starts_with("node") && name.size() > 4 &&
         name.find_first_not_of("0123456789", 4) == std::string::npos;
}

}  // namespace

std::vector<cpu_set_t> numa_nodes(const std::string& folder) {
  std::vector<cpu_set_t> nodes;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_node(entry->path().filename().string())) continue;
    std::ifstream file(entry->path() / "cpulist");
    const std::string list{std::istreambuf_iterator<char>(file), {}};
    const cpu_set_t cores = parse_core_list(list.c_str());
    if (CPU_COUNT(&cores) > 0) nodes.push_back(cores);  // some have memory alone
  }
  return nodes;
}

cpu_set_t cores_near(int core, const cpu_set_t& mask, const std::vector<cpu_set_t>& nodes,
                     int least) {
  if (core < 0 || core >= CPU_SETSIZE) return mask;
  for (const cpu_set_t& node : nodes) {
    if (!CPU_ISSET(static_cast<std::size_t>(core), &node)) continue;
    cpu_set_t near;
    CPU_AND(&near, &node, &mask);
    return CPU_COUNT(&near) < least ? mask : near;
  }
  return mask;
}

}  // namespace tightwire::os
