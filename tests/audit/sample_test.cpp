#include "audit/sample.h"

#include <gtest/gtest.h>

#include <array>
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

std::vector<double> field(double time) {
  std::vector<double> values(8192);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto x = static_cast<double>(i);
    values[i] = 300 + std::sin(0.01 * x + time) + 1e-3 * std::sin(x * x);
  }
  return values;
}

// The nearest first; fields that take turns.
Samples compared(std::size_t fields) {
  std::vector<std::vector<double>> before;
  std::vector<std::span<const std::byte>> earlier;
  for (std::size_t i = 1; i <= codec::most_references; ++i) {
    const std::size_t turn = i % fields;
    const auto steps = static_cast<double>((i + fields - 1) / fields);
    before.push_back(field(turn == 0 ? -1e-4 * steps : 50 * static_cast<double>(turn)));
  }
  for (const auto& one : before) earlier.push_back(std::as_bytes(std::span(one)));
  Sampler sampler;
  const std::vector<double> now = field(0);
  return sampler.take(codec::ElementType::float64, std::as_bytes(std::span(now)), 1, earlier);
}

TEST(Sample, WhatResemblesEarlierMessagesShrinksMore) {
  for (const std::size_t fields : {1, 3}) {
    const Samples samples = compared(fields);
    EXPECT_GT(samples.in_time[0].ratio(), 1.2 * samples.tried[0].ratio()) << fields;
    EXPECT_GT(samples.in_time[exact_choices + 4].ratio(),
              1.2 * samples.tried[exact_choices + 4].ratio())
        << fields;
  }
}

TEST(Sample, WhatResemblesNoneIsNoWorseForIt) {
  std::vector<double> noise(8192);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    noise[i] = std::sin(1e6 * static_cast<double>(i * i));
  }
  const std::array earlier{std::as_bytes(std::span(noise))};
  const std::vector<double> values = wave(8192);
  Sampler sampler;
  const Samples samples =
      sampler.take(codec::ElementType::float64, std::as_bytes(std::span(values)), 1, earlier);
  for (std::size_t i = 0; i < choice_count; ++i) {
    EXPECT_GE(samples.in_time[i].ratio(), samples.tried[i].ratio());
    EXPECT_EQ(samples.in_time[i].values, samples.tried[i].values);
  }
  EXPECT_EQ(take(values).in_time[0].values, 0);
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
