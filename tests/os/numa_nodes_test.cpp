#include <gtest/gtest.h>

#include <string>

#include "../false_root.h"
#include "os/cores/idle_core.h"
#include "os/numa/nodes.h"

namespace tightwire::os {
namespace {

class NumaNodes : public FalseRoot {
 protected:
  void SetUp() override {
    FalseRoot::SetUp();
    // The second has memory alone; the others are no nodes.
    write("nodes/node0/cpulist", "0-3,8-11\n");
    write("nodes/node1/cpulist", "\n");
    write("nodes/node12/cpulist", "4-7,12-15\n");
    write("nodes/node/cpulist", "0-15\n");
    write("nodes/node0a/cpulist", "0-15\n");
    write("nodes/online", "0-1,12\n");
  }
  [[nodiscard]] std::vector<cpu_set_t> nodes() const {
    return numa_nodes((root_ / "nodes").string());
  }

  static ::testing::AssertionResult are(const cpu_set_t& cores, const char* expected) {
    const cpu_set_t others = parse_core_list(expected);
    if (CPU_EQUAL(&cores, &others)) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << CPU_COUNT(&cores) << " cores, not " << expected;
  }
};

TEST_F(NumaNodes, AreThoseThatHaveCores) {
  EXPECT_EQ(nodes().size(), 2U);
  EXPECT_TRUE(numa_nodes((root_ / "none").string()).empty());
}

TEST_F(NumaNodes, NearAreTheCoresOfTheMaskOnTheSameNode) {
  const cpu_set_t all = parse_core_list("0-15");
  EXPECT_TRUE(are(cores_near(9, all, nodes(), 2), "0-3,8-11"));
  EXPECT_TRUE(are(cores_near(4, all, nodes(), 2), "4-7,12-15"));
  EXPECT_TRUE(are(cores_near(4, parse_core_list("2-5,20"), nodes(), 2), "4,5"));
}

TEST_F(NumaNodes, TooFewAreNotNearEnough) {
  const cpu_set_t mask = parse_core_list("0-4");
  EXPECT_TRUE(are(cores_near(4, mask, nodes(), 2), "0-4"));
  EXPECT_TRUE(are(cores_near(4, mask, nodes(), 1), "4"));
}

TEST_F(NumaNodes, WhatIsNotKnownChangesNothing) {
  const cpu_set_t mask = parse_core_list("2-5,20");
  EXPECT_TRUE(are(cores_near(20, mask, nodes(), 1), "2-5,20"));
  EXPECT_TRUE(are(cores_near(-1, mask, nodes(), 1), "2-5,20"));
  EXPECT_TRUE(are(cores_near(2, mask, {}, 1), "2-5,20"));
}

}  // namespace
}  // namespace tightwire::os
