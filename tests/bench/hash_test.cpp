#include <gtest/gtest.h>

#include <vector>

#include "support/same_bits.h"

namespace tightwire::bench {
namespace {

std::int64_t hash(const std::vector<float>& values) {
  return hash_of(std::as_bytes(std::span(values)));
}

TEST(Hash, TellsBitsApart) {
  EXPECT_EQ(hash({1, 2, 3}), hash({1, 2, 3}));
  EXPECT_NE(hash({1, 2, 3}), hash({1, 3, 2}));
  EXPECT_NE(hash({0.0F}), hash({-0.0F}));
}

TEST(Hash, CanBeNegated) {
  for (int i = 0; i < 1000; ++i) EXPECT_GT(hash({static_cast<float>(i)}), -hash({-1}) - 1);
  EXPECT_GE(hash({}), 0);
}

}  // namespace
}  // namespace tightwire::bench
