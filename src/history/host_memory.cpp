#include "history/host_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace tightwire::history {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// "max" is no number.
std::size_t number_in(const std::filesystem::path& file) {
  std::size_t number = 0;
  return std::ifstream(file) >> number ? number : no_limit;
}

// Of a group and all that it is part of; a group may see itself as the root of them.
std::size_t least_of_groups(const std::filesystem::path& mount, std::filesystem::path group,
                            const char* limit) {
  std::size_t least = number_in(mount / limit);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    least = std::min(least, number_in(mount / group / limit));
  }
  return least;
}

// A line of /proc/self/cgroup: number:controllers:group.
std::size_t limit_of(const std::string& line, const std::filesystem::path& mount) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return no_limit;
  const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
  const std::string group = line.substr(second + 1);
  if (controllers == ",,") return least_of_groups(mount, group, "memory.max");
  if (controllers.find(",memory,") == std::string::npos) return no_limit;
  return least_of_groups(mount / "memory", group, "memory.limit_in_bytes");
}

std::size_t machine_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return no_limit;
  return static_cast<std::size_t>(pages) * static_cast<std::size_t>(page);
}

}  // namespace

std::size_t host_memory(const std::filesystem::path& root) {
  std::size_t least = machine_memory();
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    least = std::min(least, limit_of(line, root / "sys/fs/cgroup"));
  }
  return least;
}

}  // namespace tightwire::history
