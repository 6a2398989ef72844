#include "wire/lengths/announced_length.h"

#include <gtest/gtest.h>

namespace tightwire::wire {
namespace {

constexpr AnnouncedLength announced{8187, 8189};

TEST(AnnouncedLength, ReadsWhatWasWritten) {
  EXPECT_EQ(read_announcement(write_announcement(announced)), announced);
}

TEST(AnnouncedLength, EveryChangedBitIsSeen) {
  const auto written = write_announcement(announced);
  for (std::size_t bit = 0; bit < 8 * written.size(); ++bit) {
    auto damaged = written;
    damaged[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    EXPECT_FALSE(read_announcement(damaged)) << bit;
  }
  EXPECT_FALSE(read_announcement({}));
}

TEST(AnnouncedLength, WhatNoSenderAnnouncesIsRefused) {
  EXPECT_FALSE(read_announcement(write_announcement({8188, 8189})));
  EXPECT_FALSE(read_announcement(write_announcement({8187, 8186})));
}

}  // namespace
}  // namespace tightwire::wire
