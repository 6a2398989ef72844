#include "wire/history.h"

#include <gtest/gtest.h>

#include <vector>

namespace tightwire::wire {
namespace {

constexpr HistoryBlock block{7, 1000, 990, 1234, 2, 5};
constexpr HistoryAnswer answer{HistoryAnswer::Kind::kept, 7, 1000, 99};

TEST(HistoryBlock, ReadsWhatWasWritten) {
  EXPECT_EQ(read_history(write_history(block)), block);
}

TEST(HistoryBlock, EveryChangedBitIsSeen) {
  const auto written = write_history(block);
  for (std::size_t bit = 0; bit < 8 * written.size(); ++bit) {
    auto damaged = written;
    damaged[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    EXPECT_FALSE(read_history(damaged)) << bit;
  }
  EXPECT_FALSE(read_history({}));
}

TEST(HistoryBlock, WhatNoSenderWritesIsRefused) {
  const auto refused = [](HistoryBlock other) { return !read_history(write_history(other)); };
  EXPECT_FALSE(refused({7, 1000, 1000, 0, 0, 0}));
  EXPECT_TRUE(refused({7, 1000, 1001, 0, 0, 0}));  // what comes later is not older
  EXPECT_TRUE(refused({7, 1000, 0, 1, 1, 9}));     // more than a codec takes
  EXPECT_TRUE(refused({7, 1000, 0, 1, 0, 1}));     // predicted from itself
  EXPECT_TRUE(refused({7, 1000, 991, 1, 2, 5}));   // the furthest is forgotten
  EXPECT_TRUE(refused({7, 1000, 0, 1, 0, 0}));     // a checksum of nothing
}

TEST(HistoryAnswer, ReadsWhatWasWritten) {
  EXPECT_EQ(read_answer(write_answer(answer)), answer);
}

TEST(HistoryAnswer, EveryChangedBitIsSeen) {
  const auto written = write_answer(answer);
  for (std::size_t bit = 0; bit < 8 * written.size(); ++bit) {
    auto damaged = written;
    damaged[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    EXPECT_FALSE(read_answer(damaged)) << bit;
  }
  EXPECT_FALSE(read_answer({}));
  EXPECT_FALSE(read_answer(write_answer({static_cast<HistoryAnswer::Kind>(5), 1, 2, 3})));
}

TEST(HistoryHashes, TellMessagesAndTheirOrderApart) {
  const std::vector<std::byte> zeros(100);
  std::vector<std::byte> other = zeros;
  other[50] = std::byte{1};
  EXPECT_NE(content_hash(zeros), content_hash(other));
  const std::array<std::uint64_t, 2> hashes{1, 2};
  const std::array<std::uint64_t, 2> turned{2, 1};
  EXPECT_NE(combined_hash(hashes), combined_hash(turned));
  EXPECT_EQ(combined_hash({}), 0U);
}

}  // namespace
}  // namespace tightwire::wire
