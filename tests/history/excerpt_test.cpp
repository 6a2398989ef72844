#include "history/excerpt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fields.h"
#include "history/sent_channel.h"

namespace tightwire::history {
namespace {

using codec::ElementType;

constexpr std::size_t large = 4 * least_excerpted / sizeof(double);

std::vector<double> numbers(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i);
  return values;
}

std::vector<double> as_numbers(const std::vector<std::byte>& bytes) {
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

TEST(Excerpt, IsOfAllPartsOfAMessageAndShort) {
  for (const std::size_t count : {least_excerpted / sizeof(double), large, large + 12345}) {
    const std::vector<double> values = numbers(count);
    const std::vector<double> excerpt = as_numbers(excerpt_of(bytes_of(values)));
    EXPECT_LE(excerpt.size(), count / 4);
    EXPECT_EQ(excerpt.front(), 0);
    EXPECT_GT(excerpt.back(), static_cast<double>(count - 8 * 720));
    for (const double eighth : {1., 3., 5., 7.}) {
      const double place = eighth / 8 * static_cast<double>(count);
      const auto near = [&](double value) {
        return std::abs(value - place) < static_cast<double>(count) / 8;
      };
      EXPECT_TRUE(std::ranges::any_of(excerpt, near)) << place;
    }
  }
}

TEST(Excerpt, KeepsRecordsWhole) {
  const std::vector<double> excerpt = as_numbers(excerpt_of(bytes_of(numbers(large + 77))));
  for (const std::size_t components : {2U, 3U, 4U, 5U, 6U, 9U, 10U, 15U, 16U}) {
    for (std::size_t i = 0; i < excerpt.size(); ++i) {
      ASSERT_EQ(static_cast<std::size_t>(excerpt[i]) % components, i % components) << components;
    }
  }
}

// `still`: of the same values with every message, else of others.
std::vector<double> message(int number, bool still) {
  std::vector<double> values = noise(still ? 1 : static_cast<unsigned>(number));
  values.resize(large);
  for (std::size_t i = field_values; i < large; ++i) values[i] = values[i % field_values];
  return values;
}

class LargeMessages : public testing::Test {
 protected:
  OfferedReferences send(int number, bool still) {
    const std::vector<double> values = message(number, still);
    OfferedReferences offered = channel.look(ElementType::float64, bytes_of(values), {});
    if (!offered.to_keep) channel.pass(bytes_of(values), offered);
    return offered;
  }

  Budget memory{large * sizeof(double)};  // for one message
  SentChannel channel{0, {}, memory};
};

TEST_F(LargeMessages, AreWatchedByExcerpts) {
  for (int number = 0; number < 8; ++number) {
    ASSERT_FALSE(send(number, false).to_keep);
    ASSERT_FALSE(channel.is_paused());
  }
  EXPECT_GT(memory.held(), 0U);
  EXPECT_LT(memory.held(), memory.limit());
}

TEST_F(LargeMessages, AreKeptAsSoonAsExcerptsSayThatItPays) {
  EXPECT_FALSE(send(0, true).to_keep);
  EXPECT_FALSE(send(1, true).to_keep);
  EXPECT_TRUE(send(2, true).to_keep);
}

TEST_F(LargeMessages, ThatHaveNothingInCommonAreLeftAlone) {
  for (int number = 0; number < 10; ++number) EXPECT_FALSE(send(number, false).to_keep);
  EXPECT_TRUE(channel.is_paused());
}

}  // namespace
}  // namespace tightwire::history
