#include "codec/errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace tightwire::bench {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Errors errors_of(const std::vector<double>& original, const std::vector<double>& decoded,
                 double bound) {
  return bench::errors_of(codec::ElementType::float64, std::as_bytes(std::span(original)),
                          std::as_bytes(std::span(decoded)), bound);
}

TEST(CodecErrors, AreThoseOfFiniteValues) {
  const Errors errors = errors_of({1, 2, 3, 4, infinite}, {1, 2.5, 3, 3.5, infinite}, 0.5);
  EXPECT_EQ(errors.largest_over_bound, 1);
  EXPECT_DOUBLE_EQ(errors.root_of_mean_squares, std::sqrt(0.5 / 4));
  const auto& bins = errors.histogram;
  EXPECT_EQ(std::accumulate(bins.begin(), bins.end(), std::size_t{0}), 4U);
  EXPECT_EQ(bins.front(), 1U);  // -1 times the bound
  EXPECT_EQ(bins.back(), 1U);
  EXPECT_EQ(bins[error_bins / 2], 2U);
  EXPECT_DOUBLE_EQ(begin_of_error_bin(error_bins / 2), 0);
}

TEST(CodecErrors, ABrokenBoundIsSeenThoughDivisionRoundsItAway) {
  const double bound = 0.1;
  const double beyond = std::nextafter(bound, 1);
  EXPECT_EQ(errors_of({0}, {bound}, bound).largest_over_bound, 1);
  EXPECT_GT(errors_of({0}, {beyond}, bound).largest_over_bound, 1);
}

TEST(CodecErrors, AChangedInfinityOrNanIsInfinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(errors_of({infinite}, {1}, 1).largest_over_bound, infinite);
  EXPECT_EQ(errors_of({nan}, {-nan}, 1).largest_over_bound, infinite);
  EXPECT_EQ(errors_of({1}, {nan}, 1).largest_over_bound, infinite);
  EXPECT_EQ(errors_of({nan}, {nan}, 1).largest_over_bound, 0);
}

}  // namespace
}  // namespace tightwire::bench
