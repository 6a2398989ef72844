#include "early/tracking/page_versions.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tightwire::early {
namespace {

Range pages(Address first, Address end) {
  return {first * page_size(), end * page_size()};
}

TEST(PageVersions, PagesNeverNotedAreOldest) {
  const PageVersions versions;
  EXPECT_EQ(versions.newest(pages(3, 9000)), 0U);
}

// Against a plain array, with ranges that cross the blocks.
TEST(PageVersions, AgreesWithAnArray) {
  constexpr std::size_t count = 2000;
  std::vector<Version> expected(count);
  PageVersions versions;
  std::mt19937 random(7);
  for (Version version = 1; version < 500; ++version) {
    Address a = random() % count;
    Address b = random() % count;
    if (a > b) std::swap(a, b);
    versions.note_written(pages(a, b), version);
    std::fill(expected.begin() + static_cast<long>(a), expected.begin() + static_cast<long>(b),
              version);
    Address c = random() % count;
    Address d = random() % count;
    if (c > d) std::swap(c, d);
    Version newest = 0;
    for (Address page = c; page < d; ++page) newest = std::max(newest, expected[page]);
    ASSERT_EQ(versions.newest(pages(c, d)), newest);
  }
}

TEST(PageVersions, ForgetsOnlyWholeBlocksInside) {
  PageVersions versions;
  versions.note_written(pages(0, 2048), 5);
  versions.forget(pages(100, 1100));
  EXPECT_EQ(versions.newest(pages(0, 100)), 5U);
  EXPECT_EQ(versions.newest(pages(1100, 2048)), 5U);
  EXPECT_EQ(versions.newest(pages(512, 1024)), 0U);
}

}  // namespace
}  // namespace tightwire::early
