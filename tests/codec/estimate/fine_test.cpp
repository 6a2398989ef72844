// Rows and planes that a coarse bound hides, and that the order of the values shows.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "codec/estimate/estimate.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t side = 31;

// Of electrons about four nuclei, which falls off by powers of ten.
std::vector<double> density() {
  const double nuclei[4][3] = {
      {9.3, 12.1, 15.2}, {14.6, 15.3, 15.7}, {19.2, 11.4, 14.9}, {15.1, 20.8, 16.3}};
  std::vector<double> values(29 * side * side);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double at[] = {static_cast<double>(i / side / side), static_cast<double>(i / side % side),
                         static_cast<double>(i % side)};
    for (const auto& nucleus : nuclei) {
      double square = 0.2;
      for (std::size_t k = 0; k < 3; ++k) square += std::pow(at[k] - nucleus[k], 2);
      values[i] += 4 * std::exp(-1.1 * std::sqrt(square));
    }
  }
  return values;
}

TEST(HiddenStructure, ShowsInTheOrderOfValues) {
  const std::vector<double> values = density();
  for (const double bound : {4e-3, 4e-4}) {
    Parameters parameters;
    parameters.alone = true;
    parameters.error_bound = bound;
    const Estimate found =
        estimate(ElementType::float64, std::as_bytes(std::span(values)), parameters);
    EXPECT_EQ(found.row_length, side) << bound;
    if (bound > 1e-3) {
      EXPECT_EQ(found.plane_length, side * side);
    }
  }
}

}  // namespace
}  // namespace tightwire::codec
