#include "history/host_memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "os/quota/control_groups.h"

namespace tightwire::history {
namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// "max" is no number.
std::size_t number_in(const std::filesystem::path& file) {
  std::size_t number = 0;
  return std::ifstream(file) >> number ? number : no_limit;
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
  for (const auto& group : os::control_groups(root, "memory")) {
    least = std::min(
        {least, number_in(group / "memory.max"), number_in(group / "memory.limit_in_bytes")});
  }
  return least;
}

}  // namespace tightwire::history
