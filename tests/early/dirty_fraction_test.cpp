#include "early/dirty_fraction.h"

#include <gtest/gtest.h>

namespace tightwire::early {
namespace {

constexpr std::size_t parts = 8;
constexpr std::size_t part_size = std::size_t{64} << 10;

class ARewrittenBuffer : public testing::Test {
 protected:
  void send() {
    if (rewriting.wants_sample(sends)) rewriting.note(sends, sample_of(values));
    ++sends;
  }
  void write(std::size_t first, std::size_t count) {
    for (std::size_t at = first * part_size; at < (first + count) * part_size; ++at)
      values[at] = std::byte(static_cast<unsigned char>(values[at]) + 1);
  }

  std::vector<std::byte> values = std::vector<std::byte>(parts * part_size);
  Rewriting rewriting;
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
  EXPECT_FALSE(rewriting.in_part());
  EXPECT_EQ(rewriting.share_written(), 1.0);
}

TEST_F(ARewrittenBuffer, IsKnownByItsThirdSend) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(rewriting.share_written());
    write(0, 1);
    send();
  }
  EXPECT_TRUE(rewriting.in_part());
  EXPECT_EQ(rewriting.share_written(), 1.0 / parts);
}

TEST_F(ARewrittenBuffer, IsWorthNoCutIfHardlyAnythingIsLeftAlone) {
  for (int i = 0; i < 3; ++i) {
    write(0, parts - 1);
    send();
  }
  EXPECT_FALSE(rewriting.in_part());
}

TEST_F(ARewrittenBuffer, IsLookedAtAgain) {
  for (int i = 0; i < 3; ++i) send();
  ASSERT_TRUE(rewriting.in_part());
  for (int i = 0; rewriting.in_part() && i < 1000; ++i) {
    write(0, parts);
    send();
  }
  EXPECT_FALSE(rewriting.in_part());
  EXPECT_GT(sends, 10U);
}

TEST_F(ARewrittenBuffer, OfNoSizeHasNoSample) {
  EXPECT_TRUE(sample_of({}).empty());
}

}  // namespace
}  // namespace tightwire::early
