#include "wire/lengths/frame_length.h"

#include <gtest/gtest.h>

namespace tightwire::wire {
namespace {

TEST(FrameLength, IsTheNextThatAnEncodingMayHave) {
  std::size_t next = encoded_length(70000);
  ASSERT_TRUE(is_encoded_length(next));
  for (std::size_t length = 70000; length > 0; --length) {
    if (is_encoded_length(length)) next = length;
    ASSERT_EQ(encoded_length(length), next) << length;
  }
}

TEST(FrameLength, IsTheLastThatFits) {
  std::size_t last = 61;
  for (std::size_t length = 61; length < 70000; ++length) {
    if (is_encoded_length(length)) last = length;
    ASSERT_EQ(encoded_length_within(length), last) << length;
  }
}

TEST(FrameLength, AnAnnouncedOneIsTheLastThatFitsAndOfNoEncoding) {
  std::size_t last = 59;
  for (std::size_t length = 59; length < 70000; ++length) {
    if (is_announced_length(length)) last = length;
    ASSERT_EQ(announced_length_within(length), last) << length;
    ASSERT_FALSE(is_announced_length(length) && is_encoded_length(length)) << length;
  }
}

// What a frame is shorter than its message must leave at once, by whatever network (MPI 4.0, 3.5).
TEST(FrameLength, AnAnnouncedOneIsNear) {
  for (std::size_t length = 8192; length < (std::size_t{1} << 40); length = length * 9 / 8) {
    ASSERT_LT(length - announced_length_within(length), 64u) << length;
    const std::size_t encoded = encoded_length(length);
    ASSERT_FALSE(is_announced_length(encoded)) << encoded;
  }
}

TEST(FrameLength, AddsLittleAndIsNoMultipleOfAnyType) {
  for (std::size_t length = 8192; length < (std::size_t{1} << 40); length = length * 9 / 8) {
    ASSERT_LE(encoded_length(length) - length, length / 64) << length;
    ASSERT_EQ(encoded_length(length) % 4, 1) << length;
  }
}

}  // namespace
}  // namespace tightwire::wire
