#include "audit/sample.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tightwire::audit {
namespace {

std::vector<double> wave(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = std::sin(0.01 * static_cast<double>(i));
  return values;
}

Samples take(const std::vector<double>& values, unsigned terms = 1) {
  Sampler sampler;
  return sampler.take(codec::ElementType::float64, std::as_bytes(std::span(values)), terms);
}

TEST(Sample, CoarserBoundsShrinkMoreAndErrMore) {
  const Samples samples = take(wave(8192));
  for (std::size_t i = exact_choices; i + 1 < exact_choices + bounds.size(); ++i) {
    EXPECT_GT(samples.tried[i].ratio(), samples.tried[i + 1].ratio());
    EXPECT_LE(samples.tried[i].psnr, samples.tried[i + 1].psnr);
  }
  EXPECT_GE(samples.tried[0].ratio(), 1);
}

TEST(Sample, ErrorsAreWithinTheBounds) {
  const Samples samples = take(wave(8192));
  for (std::size_t i = exact_choices; i < choice_count; ++i) {
    const double bound = bound_of(i) * (is_relative(i) ? 2.0 : 1.0);
    EXPECT_LE(samples.tried[i].largest_error, bound) << name_of_choice(i);
  }
  EXPECT_GT(samples.tried[exact_choices].largest_error, 0);
}

TEST(Sample, ASumOfManyHasLessRoom) {
  const auto fine = exact_choices + 2;
  EXPECT_LT(take(wave(8192), 64).tried[fine].ratio(), take(wave(8192)).tried[fine].ratio());
}

TEST(Sample, FillValuesAreCounted) {
  std::vector<double> values = wave(8192);
  for (std::size_t i = 0; i < values.size(); i += 4) values[i] = 1e20;
  EXPECT_EQ(take(values).fill_values, values.size() / 4);
  EXPECT_EQ(take(wave(8192)).fill_values, 0U);
}

TEST(Sample, IntegersHaveNoBounds) {
  const std::vector<std::int32_t> values(1000, 7);
  Sampler sampler;
  const Samples samples =
      sampler.take(codec::ElementType::int32, std::as_bytes(std::span(values)), 1);
  EXPECT_GT(samples.tried[0].ratio(), 4);
  EXPECT_EQ(samples.tried[exact_choices].values, 0);
}

TEST(Sample, ConstantAndStrangeValuesAreNoProblem) {
  for (const double value : {0.0, 1e300, std::nan(""), HUGE_VAL}) {
    EXPECT_EQ(take(std::vector<double>(100, value)).count, 1U);
  }
}

}  // namespace
}  // namespace tightwire::audit
