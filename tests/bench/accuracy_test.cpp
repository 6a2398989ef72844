#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "accuracy/trial.h"

namespace tightwire::accuracy {
namespace {

// Sums of `ranks` uniform errors within `bound`.
Errors simulated(int ranks, double bound) {
  Errors errors(bound * std::sqrt(ranks));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> one(-bound, bound);
  for (int i = 0; i < 100000; ++i) {
    double sum = 0;
    for (int rank = 0; rank < ranks; ++rank) sum += one(random);
    errors.add(sum);
  }
  return errors;
}

TEST(Errors, OfUniformContributionsKeepTheUniformLaw) {
  for (const int ranks : {2, 4, 16}) {
    const Errors errors = simulated(ranks, 1e-3);
    EXPECT_NEAR(errors.standard_deviation(), 1 / std::sqrt(3), 0.01) << ranks;
    EXPECT_GT(errors.share_within_uniform_law(), 0.953) << ranks;
    EXPECT_NEAR(errors.share_within_zccl_law(), 0.75, 0.03) << ranks;
    EXPECT_LE(errors.largest(), ranks * 1e-3) << ranks;
  }
}

TEST(Errors, HaveARootOfMeanSquaresInTheValuesOwnUnit) {
  Errors errors(1e-3);
  EXPECT_EQ(errors.root_of_mean_squares(), 0);
  for (const double error : {3.0, -4.0}) errors.add(error);
  EXPECT_DOUBLE_EQ(errors.root_of_mean_squares(), std::sqrt(12.5));
}

TEST(Errors, AreAllInTheHistogram) {
  Errors errors(1);
  for (const double error : {-9.0, -2.0, -0.01, 0.0, 0.01, 9.0}) errors.add(error);
  const auto& histogram = errors.histogram();
  EXPECT_EQ(std::accumulate(histogram.begin(), histogram.end(), std::size_t{0}), 6U);
  EXPECT_EQ(histogram.front(), 2U);
  EXPECT_EQ(histogram.back(), 1U);
  EXPECT_EQ(histogram[bins / 2], 2U);
  EXPECT_DOUBLE_EQ(Errors::bin_begin(bins / 2), 0);
  EXPECT_DOUBLE_EQ(Errors::bin_begin(bins), histogram_reach);
  EXPECT_EQ(errors.largest(), 9);
}

TEST(Promise, IsOnTheResultOrOnEachContribution) {
  EXPECT_EQ(promised(Operation::sum, "contribution", 8), 8);
  EXPECT_EQ(promised(Operation::average, "contribution", 8), 1);
  EXPECT_EQ(promised(Operation::sum, "result", 8), 1);
  EXPECT_EQ(promised(Operation::average, "result", 8), 0.125);
  EXPECT_EQ(promised(Operation::max, "contribution", 8), 1);
  EXPECT_EQ(promised(Operation::min, "result", 8), 1);
}

}  // namespace
}  // namespace tightwire::accuracy
