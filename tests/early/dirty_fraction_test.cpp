#include "early/dirty_fraction.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

constexpr std::size_t parts = 8;
constexpr std::size_t part_size = std::size_t{64} << 10;

class ARewrittenBuffer : public testing::Test {
 protected:
  void send() {
    if (dirty.wants_sample(sends)) dirty.note(sends, sample_of(values));
    ++sends;
  }
  void write(std::size_t first, std::size_t count) {
    for (std::size_t at = first * part_size; at < (first + count) * part_size; ++at)
      values[at] = std::byte(static_cast<unsigned char>(values[at]) + 1);
  }

  std::vector<std::byte> values = std::vector<std::byte>(parts * part_size);
  DirtyFraction dirty;
  std::uint64_t sends = 0;
};

TEST(FineParts, AreNeitherSmallNorMany) {
  EXPECT_EQ(fine_parts(1), 1U);
  EXPECT_EQ(fine_parts(2 * part_size - 1), 1U);
  EXPECT_EQ(fine_parts(parts * part_size), parts);
  EXPECT_EQ(fine_parts(part_size << 20), 32U);
}

TEST_F(ARewrittenBuffer, IsOneInPartOnlyIfPartsAreLeftAlone) {
  for (int i = 0; i < 3; ++i) {
    write(0, parts);
    send();
  }
  EXPECT_FALSE(dirty.partial());
  EXPECT_EQ(dirty.value(), 1.0);
}

TEST_F(ARewrittenBuffer, IsKnownByItsThirdSend) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(dirty.value());
    write(0, 1);
    send();
  }
  EXPECT_TRUE(dirty.partial());
  EXPECT_EQ(dirty.value(), 1.0 / parts);
}

TEST_F(ARewrittenBuffer, IsWorthNoCutIfHardlyAnythingIsLeftAlone) {
  for (int i = 0; i < 3; ++i) {
    write(0, parts - 1);
    send();
  }
  EXPECT_FALSE(dirty.partial());
}

TEST_F(ARewrittenBuffer, IsLookedAtAgain) {
  for (int i = 0; i < 3; ++i) send();
  ASSERT_TRUE(dirty.partial());
  for (int i = 0; dirty.partial() && i < 1000; ++i) {
    write(0, parts);
    send();
  }
  EXPECT_FALSE(dirty.partial());
  EXPECT_GT(sends, 10U);
}

TEST_F(ARewrittenBuffer, OfNoSizeHasNoSample) {
  EXPECT_TRUE(sample_of({}).empty());
}

}  // namespace
}  // namespace tightwire::early
