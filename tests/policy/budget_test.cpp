#include "policy/budget.h"

#include <gtest/gtest.h>

namespace tightwire::policy {
namespace {

using settings::BoundAppliesTo;

TEST(Budget, SharesNeverExceedTheWhole) {
  for (const double bound : {1e-4, 0.1, 1.0 / 3, 1e-300, 7e20}) {
    for (std::uint32_t ranks = 1; ranks <= 1000; ++ranks) {
      const Budget budget = grid_sum(bound, ranks, BoundAppliesTo::result);
      EXPECT_LE(static_cast<long double>(budget.error_bound) * ranks, bound)
          << bound << " " << ranks;
      EXPECT_GT(budget.error_bound, bound / ranks * 0.999999);
      EXPECT_EQ(budget.terms, ranks);
    }
  }
}

TEST(Budget, TermsAloneMakeTheGrid) {
  const Budget budget = grid_sum(1e-3, 64, BoundAppliesTo::result);
  EXPECT_EQ(budget.error_bound, 1e-3 / 64);
  EXPECT_EQ(budget.terms, 64U);
}

TEST(Budget, AContributionMayUseTheWholeBound) {
  EXPECT_EQ(grid_sum(1e-3, 8, BoundAppliesTo::contribution).error_bound, 1e-3);
  EXPECT_EQ(recompressed(1e-3, 8, true, BoundAppliesTo::contribution).error_bound, 1e-3);
}

TEST(Budget, ExtremaKeepTheBoundEitherWay) {
  EXPECT_EQ(grid_extremum(1e-3).error_bound, 1e-3);
  EXPECT_EQ(grid_extremum(1e-3).terms, 1U);
  // Compressed again at every hop, an extremum's errors add up like a sum's.
  EXPECT_LE(recompressed(1e-3, 8, false, BoundAppliesTo::contribution).error_bound, 1e-3 / 8);
}

}  // namespace
}  // namespace tightwire::policy
