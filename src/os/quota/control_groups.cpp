#include "os/quota/control_groups.h"

#include <fstream>
#include <string>

namespace tightwire::os {
namespace {

namespace fs = std::filesystem;

// A group and all that it is part of; it may see itself as the root of them.
void add_group(const fs::path& mount, fs::path group, std::vector<fs::path>& folders) {
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    folders.push_back(mount / group);
  }
  folders.push_back(mount);
}

// A line of /proc/self/cgroup: number:controllers:group.
void add_line(const std::string& line, const fs::path& mount, const std::string& controller,
              std::vector<fs::path>& folders) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
  if (second == std::string::npos) return;
  const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
  const std::string group = line.substr(second + 1);
  if (controllers == ",,") return add_group(mount, group, folders);
  if (controllers.find("," + controller + ",") == std::string::npos) return;
  add_group(mount / controller, group, folders);
}

}  // namespace

std::vector<fs::path> control_groups(const fs::path& root, std::string_view controller) {
  std::vector<fs::path> folders;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    add_line(line, root / "sys/fs/cgroup", std::string(controller), folders);
  }
  return folders;
}

}  // namespace tightwire::os
