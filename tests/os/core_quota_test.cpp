#include "os/quota/core_quota.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../false_root.h"

namespace tightwire::os {
namespace {

class CoreQuota : public FalseRoot {};

TEST_F(CoreQuota, IsNoneWithoutGroups) {
  EXPECT_TRUE(std::isinf(core_quota(root_)));
  write("proc/self/cgroup", "0::/jobs\n");
  write("sys/fs/cgroup/jobs/cpu.max", "max 100000\n");
  EXPECT_TRUE(std::isinf(core_quota(root_)));
}

TEST_F(CoreQuota, IsTheLeastOfAGroupAndWhatItIsPartOf) {
  write("proc/self/cgroup", "0::/jobs/17\n");
  write("sys/fs/cgroup/jobs/17/cpu.max", "400000 100000\n");
  write("sys/fs/cgroup/jobs/cpu.max", "250000 100000\n");
  EXPECT_EQ(core_quota(root_), 2.5);
}

TEST_F(CoreQuota, ReadsTheFirstVersionOfGroups) {
  write("proc/self/cgroup", "3:cpu,cpuacct:/a\n2:memory:/b\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "300000\n");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(core_quota(root_), 3);
}

TEST_F(CoreQuota, IsDividedAmongProcesses) {
  write("proc/self/cgroup", "0::/jobs\n");
  write("sys/fs/cgroup/jobs/cpu.max", "750000 100000\n");
  EXPECT_EQ(cores_of_each(1, 16, root_), 7U);
  EXPECT_EQ(cores_of_each(2, 16, root_), 3U);
  EXPECT_EQ(cores_of_each(8, 16, root_), 1U);
}

TEST_F(CoreQuota, IsNoMoreThanCoresToRunOn) {
  EXPECT_EQ(cores_of_each(2, 5.5, root_), 5U);
  EXPECT_EQ(cores_of_each(2, 0.25, root_), 1U);
  EXPECT_GT(cores_of_each(1, std::numeric_limits<double>::infinity(), root_), 1000U);
  write("proc/self/cgroup", "0::/jobs\n");
  write("sys/fs/cgroup/jobs/cpu.max", "600000 100000\n");
  EXPECT_EQ(cores_of_each(2, 1.5, root_), 1U);
  EXPECT_EQ(cores_of_each(2, 2.5, root_), 2U);
}

}  // namespace
}  // namespace tightwire::os
