#include "history/host_memory.h"

#include <gtest/gtest.h>

#include "../false_root.h"

namespace tightwire::history {
namespace {

class HostMemory : public FalseRoot {};

TEST_F(HostMemory, IsTheMachinesWithoutGroups) {
  const std::size_t machine = host_memory(root_);
  EXPECT_GT(machine, std::size_t{1} << 24);
  EXPECT_LE(host_memory(), machine);
}

TEST_F(HostMemory, IsTheLeastLimitOfAGroupAndWhatItIsPartOf) {
  write("proc/self/cgroup", "0::/jobs/17/step\n");
  write("sys/fs/cgroup/jobs/17/step/memory.max", "max\n");
  write("sys/fs/cgroup/jobs/17/memory.max", "1048576\n");
  write("sys/fs/cgroup/jobs/memory.max", "2097152\n");
  EXPECT_EQ(host_memory(root_), 1048576U);
}

TEST_F(HostMemory, ReadsTheFirstVersionOfGroups) {
  write("proc/self/cgroup", "3:cpu,cpuacct:/a\n2:hugetlb,memory:/slurm/job\n1:name=systemd:/b\n");
  write("sys/fs/cgroup/memory/slurm/job/memory.limit_in_bytes", "3145728\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4096\n");
  EXPECT_EQ(host_memory(root_), 3145728U);
}

TEST_F(HostMemory, WhatCannotBeReadLimitsNothing) {
  const std::size_t machine = host_memory(root_);
  write("proc/self/cgroup", "nonsense\n0::/gone\n2:memory\n");
  EXPECT_EQ(host_memory(root_), machine);
}

}  // namespace
}  // namespace tightwire::history
