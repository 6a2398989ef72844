#include "os/quota/core_quota.h"

#include <algorithm>
#include <fstream>
#include <limits>

#include "os/quota/control_groups.h"

namespace tightwire::os {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

// Both in microseconds. "max" is no number, and -1 is no quota.
double cores(std::istream& quota, std::istream& period) {
  double allowed = 0;
  double of = 0;
  return quota >> allowed && period >> of && allowed > 0 && of > 0 ? allowed / of : no_limit;
}

double quota_in(const std::filesystem::path& group) {
  std::ifstream both(group / "cpu.max");
  std::ifstream quota(group / "cpu.cfs_quota_us");
  std::ifstream period(group / "cpu.cfs_period_us");
  return std::min(cores(both, both), cores(quota, period));
}

}  // namespace

double core_quota(const std::filesystem::path& root) {
  double least = no_limit;
  for (const auto& group : control_groups(root, "cpu")) least = std::min(least, quota_in(group));
  return least;
}

std::size_t cores_of_each(std::size_t processes, double share, const std::filesystem::path& root) {
  constexpr double many = 65536;
  const double part = core_quota(root) / static_cast<double>(processes);
  return static_cast<std::size_t>(std::clamp(std::min(part, share), 1.0, many));
}

}  // namespace tightwire::os
