#include "audit/watch.h"

#include <gtest/gtest.h>

namespace tightwire::audit {
namespace {

std::vector<std::byte> part(int value, std::size_t size = 16) {
  return std::vector<std::byte>(size, static_cast<std::byte>(value));
}

TEST(Watch, KeepsTheLastTheNearestFirst) {
  Watch watch({1, 2, 16}, 0);
  for (int i = 0; i < 20; ++i) watch.keep(part(i));
  EXPECT_TRUE(watch.is_full());
  const auto parts = watch.parts(16);
  ASSERT_EQ(parts.size(), codec::most_references);
  for (int i = 0; i < static_cast<int>(parts.size()); ++i) {
    EXPECT_EQ(parts[static_cast<std::size_t>(i)].front(), static_cast<std::byte>(19 - i));
  }
}

TEST(Watch, APartOfAnotherSizeIsNoReference) {
  Watch watch({1, 2, 16}, 0);
  watch.keep(part(1));
  watch.keep(part(2, 8));
  watch.keep(part(3));
  EXPECT_EQ(watch.parts(16).size(), 1U);
}

TEST(Watch, IsInVainWhereItsChannelIsSilent) {
  Watch watch({1, 2, 16}, 0);
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(watch.meets({2, 2, 16}));
  EXPECT_TRUE(watch.meets({1, 2, 16}));
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(watch.meets({1, 2, 24}));
  EXPECT_FALSE(watch.is_in_vain());
  for (int i = 0; i < 200; ++i) EXPECT_FALSE(watch.meets({1, 3, 16}));
  EXPECT_TRUE(watch.is_in_vain());
}

}  // namespace
}  // namespace tightwire::audit
