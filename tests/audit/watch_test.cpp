#include "audit/watch.h"

#include <gtest/gtest.h>

#include <array>

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

// Kinds of calls, told apart by where they stand.
class SeveralWatches : public testing::Test {
 protected:
  void begin(std::size_t kind) {
    if (watches_.at_message(&kinds_[kind]) == nullptr) {
      watches_.begin(&kinds_[kind], Watch({1, 2, 16}, 0), part(1));
    }
  }
  void begin_all_but_last() {
    for (std::size_t i = 0; i + 1 < kinds_.size(); ++i) begin(i);
  }
  bool is_watched(std::size_t kind) { return watches_.at_message(&kinds_[kind]) != nullptr; }

  Watches watches_;
  std::array<char, Watches::most + 1> kinds_{};
};

TEST_F(SeveralWatches, AreNotMoreThanFitWhileAllOfTheirMessagesCome) {
  for (int i = 0; i < 200; ++i) begin_all_but_last();
  begin(Watches::most);
  EXPECT_FALSE(is_watched(Watches::most));
  for (std::size_t i = 0; i < Watches::most; ++i) EXPECT_TRUE(is_watched(i)) << i;
}

TEST_F(SeveralWatches, TheOneWhoseMessagesComeNoMoreMakesRoom) {
  begin_all_but_last();
  for (int i = 0; i < 100; ++i) {
    for (std::size_t kind = 0; kind < Watches::most; ++kind) {
      if (kind != 3) begin(kind);
    }
  }
  begin(Watches::most);
  EXPECT_TRUE(is_watched(Watches::most));
  EXPECT_FALSE(is_watched(3));
  EXPECT_TRUE(is_watched(4));
}

TEST_F(SeveralWatches, EndedOnesMakeRoom) {
  begin_all_but_last();
  watches_.end(kinds_.data());
  begin(Watches::most);
  EXPECT_TRUE(is_watched(Watches::most));
}

}  // namespace
}  // namespace tightwire::audit
