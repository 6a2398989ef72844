#include "cli/file/quality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tightwire::cli {
namespace {

using codec::ElementType;

std::span<const std::byte> bytes_of(const std::vector<double>& values) {
  return std::as_bytes(std::span(values));
}

TEST(Quality, OfErrorsKnownByHand) {
  const std::vector<double> original{0, 10, 5, 5};
  const std::vector<double> decoded{0, 10, 6, 3};
  const Quality quality = compare(ElementType::float64, bytes_of(original), bytes_of(decoded));
  EXPECT_EQ(quality.finite, 4U);
  EXPECT_EQ(quality.range(), 10);
  EXPECT_EQ(quality.largest_error, 2);
  EXPECT_DOUBLE_EQ(quality.root_mean_square_error, std::sqrt(5.0 / 4));
  EXPECT_DOUBLE_EQ(quality.nrmse(), std::sqrt(5.0 / 4) / 10);
  EXPECT_DOUBLE_EQ(quality.psnr(), 20 * std::log10(10 / std::sqrt(5.0 / 4)));
}

TEST(Quality, LeavesSpecialValuesOutAndCountsTheirChanges) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> original{1, inf, nan, -inf};
  const std::vector<double> decoded{1, inf, nan, 7};
  const Quality quality = compare(ElementType::float64, bytes_of(original), bytes_of(decoded));
  EXPECT_EQ(quality.finite, 1U);
  EXPECT_EQ(quality.special, 3U);
  EXPECT_EQ(quality.special_changed, 1U);
  EXPECT_EQ(quality.largest_error, 0);
  EXPECT_EQ(quality.psnr(), inf);
}

TEST(Quality, ANaNThatWasANumberIsNotOverlooked) {
  const std::vector<double> original{1, 2, 3};
  const std::vector<double> decoded{1, std::numeric_limits<double>::quiet_NaN(), 3};
  const Quality quality = compare(ElementType::float64, bytes_of(original), bytes_of(decoded));
  EXPECT_FALSE(quality.largest_error <= 1e300);
}

TEST(Histogram, PutsEveryErrorIntoItsBin) {
  const std::vector<double> original{0, 0, 0, 0, 0, std::numeric_limits<double>::infinity()};
  const std::vector<double> decoded{0, 0.9, -0.9, 5, 0.01, 0};
  EXPECT_EQ(error_histogram(ElementType::float64, bytes_of(original), bytes_of(decoded), 1, 5),
            (std::vector<std::uint64_t>{1, 0, 2, 0, 2}));
}

}  // namespace
}  // namespace tightwire::cli
