#include "device/kernels/scan.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tightwire::device {
namespace {

class Scan : public testing::TestWithParam<HostLanes::Order> {};

TEST_P(Scan, SumsUpWhateverTheOrderOfLanes) {
  for (const unsigned count : {1U, 2U, 3U, 64U, 65U, 1000U}) {
    std::vector<unsigned> from(count);
    std::iota(from.begin(), from.end(), 5U);
    std::vector<unsigned> expected(count);
    std::partial_sum(from.begin(), from.end(), expected.begin());
    std::vector<unsigned> other(count);
    HostLanes lanes(GetParam());
    const unsigned* const sums =
        scan(lanes, from.data(), other.data(), count, [](unsigned a, unsigned b) { return a + b; });
    EXPECT_EQ(std::vector(sums, sums + count), expected) << count;
  }
}

// What a step without a barrier inside would give shows: here a lane reads what another one writes.
TEST(HostLanes, ShowWhereAStepDependsOnItsOrder) {
  const auto race = [](HostLanes lanes) {
    std::vector<unsigned> sums(64, 1);
    lanes.each(63, [&](unsigned i) { sums[i + 1] += sums[i]; });
    return sums;
  };
  const auto forward = race(HostLanes(HostLanes::Order::forward));
  EXPECT_NE(forward, race(HostLanes(HostLanes::Order::backward)));
  EXPECT_NE(forward, race(HostLanes(HostLanes::Order::shuffled)));
}

INSTANTIATE_TEST_SUITE_P(Every, Scan,
                         testing::Values(HostLanes::Order::forward, HostLanes::Order::backward,
                                         HostLanes::Order::shuffled));

}  // namespace
}  // namespace tightwire::device
