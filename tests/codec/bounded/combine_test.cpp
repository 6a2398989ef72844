// Reductions in the integer domain.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/bounded/layout.h"
#include "exact/difference.h"

namespace tightwire::codec {
namespace {

using bounded::Operation;

template <class T>
class Combine : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Combine, FloatTypes);

// Below 2^log2_amplitude, with 22 bits: sums of 64 are exact in double, and in float's own sum are
// not.
template <class T>
std::vector<T> exactly_summable(std::size_t count, int log2_amplitude, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(count);
  for (T& value : values) {
    const double integer = static_cast<double>(random() % (1 << 22)) - (1 << 21);
    value = static_cast<T>(std::ldexp(integer, log2_amplitude - 21));
  }
  return values;
}

template <class T>
T any_nan(std::mt19937_64& random) {
  const T nan = any_bits<T>(random);
  return std::isnan(nan) ? nan : std::copysign(std::numeric_limits<T>::quiet_NaN(), nan);
}

TYPED_TEST(Combine, SumIsStrictlyWithinTheTotalBound) {
  using T = TypeParam;
  constexpr std::size_t count = 3000;
  for (const std::uint32_t ranks : {2u, 3u, 16u, 64u}) {
    for (const double total : {1.0, 0.25, 0.03125, 1e-2, 1e-3}) {
      const Parameters parameters = grid_parameters(total / ranks, ranks);
      // As large as the grid of float holds: 2^20 steps of nearly two bounds.
      const int log2_amplitude = std::ilogb(parameters.error_bound) + 20;
      std::vector<double> exact(count);
      Bytes sum;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const auto own = exactly_summable<T>(count, log2_amplitude, rank + 1);
        for (std::size_t i = 0; i < count; ++i) exact[i] += static_cast<double>(own[i]);
        sum = rank == 0 ? encoded(own, parameters)
                        : combined_with_values(Operation::sum, sum, own, parameters);
        ASSERT_FALSE(sum.empty());
      }
      const auto result = decoded<T>(sum, count);
      ASSERT_EQ(result.size(), count);
      std::size_t outside = 0;
      for (std::size_t i = 0; i < count; ++i) {
        outside += differs_by_more(exact[i], result[i], parameters.error_bound * ranks);
      }
      EXPECT_EQ(outside, 0u) << ranks << " ranks, bound " << total;
    }
  }
}

TYPED_TEST(Combine, SumIsTheSameInAnyOrder) {
  using T = TypeParam;
  constexpr std::size_t count = 5000;
  constexpr std::uint32_t ranks = 7;
  std::mt19937_64 random(11);
  for (const Shape shape : {Shape::smooth, Shape::noise, Shape::rows, Shape::sparse}) {
    const Parameters parameters = grid_parameters(1e-3, ranks, shape == Shape::rows ? 100 : 0);
    std::vector<Bytes> parts;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      parts.push_back(encoded(make_data<T>(shape, count, 1e-3, rank), parameters));
    }
    std::vector<T> first;
    for (int order = 0; order < 8; ++order) {
      std::shuffle(parts.begin(), parts.end(), random);
      std::vector<Bytes> queue = parts;  // combine any two until one is left
      while (queue.size() > 1) {
        const std::size_t i = random() % (queue.size() - 1);
        queue[i] = combined<T>(Operation::sum, count, queue[i], queue[i + 1]);
        ASSERT_FALSE(queue[i].empty());
        queue.erase(queue.begin() + static_cast<long>(i) + 1);
      }
      const auto sum = decoded<T>(queue[0], count);
      ASSERT_EQ(sum.size(), count);
      if (order == 0) first = sum;
      ASSERT_TRUE(same_bits(sum, first));
    }
  }
}

// -0, subnormals, infinities and NaN among grid values, in changing company.
template <class T>
std::vector<T> strewn(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto values = make_data<T>(Shape::noise, count, 1e-3, seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t choice = random() % 12;
    if (choice == 0) values[i] = -T{0};
    if (choice == 1) values[i] = 0;
    if (choice >= 2 && choice < 5) values[i] = subnormal<T>(random);
    if (i % 50 == 7) values[i] = std::numeric_limits<T>::infinity();
    if (i % 50 == 9) values[i] = any_nan<T>(random);
  }
  return values;
}

TYPED_TEST(Combine, SpecialValuesKeepResultsTheSameInAnyOrder) {
  using T = TypeParam;
  constexpr std::size_t count = 3000;
  constexpr std::uint32_t ranks = 6;
  std::mt19937_64 random(12);
  for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
    std::vector<Bytes> parts;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      parts.push_back(encoded(strewn<T>(count, rank), grid_parameters(1e-3, ranks)));
    }
    std::vector<T> first;
    for (int order = 0; order < 8; ++order) {
      std::shuffle(parts.begin(), parts.end(), random);
      std::vector<Bytes> queue = parts;
      while (queue.size() > 1) {
        const std::size_t i = random() % (queue.size() - 1);
        queue[i] = combined<T>(operation, count, queue[i], queue[i + 1]);
        ASSERT_FALSE(queue[i].empty());
        queue.erase(queue.begin() + static_cast<long>(i) + 1);
      }
      const auto result = decoded<T>(queue[0], count);
      ASSERT_EQ(result.size(), count);
      if (order == 0) first = result;
      ASSERT_TRUE(same_bits(result, first)) << static_cast<int>(operation);
    }
  }
}

TYPED_TEST(Combine, SumsOfSubnormalsAreExactUntilTheyMeetTheGrid) {
  using T = TypeParam;
  const T least = std::numeric_limits<T>::denorm_min();
  const std::vector<T> a{3 * least, -T{0}, 5 * least, 7 * least, -least};
  const std::vector<T> b{4 * least, 2 * least, -5 * least, 1, 0};
  const Parameters parameters = grid_parameters(1e-3, 2);
  const Bytes sum =
      combined<T>(Operation::sum, a.size(), encoded(a, parameters), encoded(b, parameters));
  const auto result = decoded<T>(sum, a.size());
  ASSERT_EQ(result.size(), a.size());
  EXPECT_TRUE(same_bits(result[0], 7 * least));
  EXPECT_TRUE(same_bits(result[1], 2 * least));
  EXPECT_TRUE(same_bits(result[2], T{0}));
  EXPECT_FALSE(differs_by_more(result[3], 1, 1e-3));
  EXPECT_TRUE(same_bits(result[4], T{0})) << "the grid's zero takes it in";
}

TYPED_TEST(Combine, FusedPassGivesTheBytesOfEncodeAndCombine) {
  using T = TypeParam;
  for (int shape = 0; shape < static_cast<int>(Shape::last); ++shape) {
    for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
      for (const std::uint32_t row : {0u, 100u}) {
        const std::size_t count = 2500;
        const Parameters parameters = grid_parameters(1e-3, 3, row);
        const Bytes a =
            encoded(make_data<T>(static_cast<Shape>(shape), count, 1e-3, 1), parameters);
        const auto own = make_data<T>(static_cast<Shape>(shape), count, 1e-3, 2);
        const Bytes fused = combined_with_values(operation, a, own, parameters);
        ASSERT_FALSE(fused.empty());
        EXPECT_EQ(fused, combined<T>(operation, count, a, encoded(own, parameters)));
      }
    }
  }
}

// In place, and with what no integer stands for among the values.
TYPED_TEST(Combine, CompletingGivesTheValuesOfTheEncoding) {
  using T = TypeParam;
  for (const std::size_t count : {std::size_t{2500}, std::size_t{4096}}) {
    for (int shape = 0; shape <= static_cast<int>(Shape::last); ++shape) {
      const bool special = shape == static_cast<int>(Shape::last);
      const auto data = [&](std::uint64_t seed) {
        return special ? strewn<T>(count, seed)
                       : make_data<T>(static_cast<Shape>(shape), count, 1e-3, seed);
      };
      for (const Operation operation : {Operation::sum, Operation::min, Operation::max}) {
        const Parameters parameters = grid_parameters(1e-3, 3, 100);
        const Bytes a = encoded(data(1), parameters);
        const auto own = data(2);
        const Bytes expected = combined_with_values(operation, a, own, parameters);
        const auto both = completed(operation, a, own, parameters, true);
        EXPECT_EQ(both.encoding, expected);
        EXPECT_TRUE(same_bits(both.values, decoded<T>(expected, count)));
        const auto alone = completed(operation, a, own, parameters, false);
        EXPECT_TRUE(alone.encoding.empty());
        EXPECT_TRUE(same_bits(alone.values, both.values));
      }
    }
  }
}

TYPED_TEST(Combine, CompletingRefusesWhatDoesNotFit) {
  using T = TypeParam;
  const Parameters parameters = grid_parameters(1e-3, 2);
  const std::vector<T> own(100, T{1});
  const Bytes a = encoded(own, parameters);
  const std::span own_bytes = std::as_bytes(std::span(own));
  std::vector<T> values(100);
  const std::span result = std::as_writable_bytes(std::span(values));
  Bytes out(bounded::header_size);
  const auto complete = [&](const Bytes& incoming, std::span<std::byte> to,
                            std::span<std::byte> results) {
    return bounded::complete_values(Operation::sum, type_of<T>, incoming, own_bytes, parameters, to,
                                    results)
        .error;
  };
  EXPECT_EQ(complete(a, {}, result), Error::none);
  EXPECT_EQ(complete(a, {}, result.first(50 * sizeof(T))), Error::bad_parameter);
  EXPECT_EQ(complete(a, out, result), Error::output_too_small);
  EXPECT_EQ(complete(Bytes(a.begin(), a.end() - 1), {}, result), Error::damaged);
}

// Runs of zeros have a way of their own, from which negative zeros and large values are kept.
TYPED_TEST(Combine, QuietValuesAreLikeOthers) {
  using T = TypeParam;
  constexpr std::size_t count = 7 * 1024 + 100;
  const Parameters parameters = grid_parameters(1e-3, 4);
  std::vector<T> quiet(count, T{0});
  quiet[3000] = T(0.5);
  std::vector<T> own(count, T{0});
  own[1500] = T(0.25);
  own[2100] = -T{0};
  own[4200] = std::numeric_limits<T>::infinity();
  own[5300] = -T{0};
  own[5301] = T(1);
  const Bytes incoming = encoded(quiet, parameters);
  const Bytes fused = combined_with_values(Operation::sum, incoming, own, parameters);
  EXPECT_EQ(fused, combined<T>(Operation::sum, count, incoming, encoded(own, parameters)));
  const std::vector<T> sum = decoded<T>(fused, count);
  ASSERT_EQ(sum.size(), count);
  EXPECT_FALSE(std::signbit(sum[2100]));
  EXPECT_FALSE(std::signbit(sum[5300]));
  EXPECT_EQ(sum[4200], std::numeric_limits<T>::infinity());
  EXPECT_NEAR(static_cast<double>(sum[5301]), 1, 2e-3);
}

TYPED_TEST(Combine, MinAndMaxAreThoseOfTheDecodedValues) {
  using T = TypeParam;
  constexpr std::size_t count = 2000;
  const Parameters parameters = grid_parameters(1e-2, 4);
  const Bytes a = encoded(make_data<T>(Shape::mixed_scales, count, 1e-2, 1), parameters);
  const Bytes b = encoded(make_data<T>(Shape::noise, count, 1e-2, 2), parameters);
  const auto values_a = decoded<T>(a, count);
  const auto values_b = decoded<T>(b, count);
  const auto low = decoded<T>(combined<T>(Operation::min, count, a, b), count);
  const auto high = decoded<T>(combined<T>(Operation::max, count, a, b), count);
  ASSERT_EQ(low.size(), count);
  ASSERT_EQ(high.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(low[i], std::min(values_a[i], values_b[i]));
    ASSERT_EQ(high[i], std::max(values_a[i], values_b[i]));
  }
}

TYPED_TEST(Combine, SpecialValuesAddAsInFloatingPoint) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  const std::vector<T> a{1, Limits::infinity(), -T{0}, Limits::max(), Limits::quiet_NaN(), -T{0}};
  const std::vector<T> b{2, 1, -T{0}, 1, 1, 3};
  const Parameters parameters = grid_parameters(0.25, 2);
  const auto sum = decoded<T>(
      combined<T>(Operation::sum, a.size(), encoded(a, parameters), encoded(b, parameters)),
      a.size());
  ASSERT_EQ(sum.size(), a.size());
  EXPECT_FALSE(differs_by_more(sum[0], 3, 0.5));
  EXPECT_EQ(sum[1], Limits::infinity());
  EXPECT_TRUE(same_bits(sum[2], -T{0}));
  EXPECT_EQ(sum[3], Limits::max());
  EXPECT_TRUE(std::isnan(sum[4]));
  EXPECT_FALSE(differs_by_more(sum[5], 3, 0.25));
}

// More sums than `terms` promised: values beyond the grid fall back to floating point.
TYPED_TEST(Combine, OverflowFallsBackToValues) {
  using T = TypeParam;
  constexpr std::size_t count = 100;
  const Parameters parameters = grid_parameters(0.5, 2);
  const T large = sizeof(T) == 4 ? T(0x1p19) : T(0x1p39);
  Bytes sum = encoded(std::vector<T>(count, large), parameters);
  double expected = large;
  for (int doubling = 0; doubling < 20; ++doubling) {
    sum = combined<T>(Operation::sum, count, sum, sum);
    ASSERT_FALSE(sum.empty());
    expected *= 2;
    const auto result = decoded<T>(sum, count);
    ASSERT_EQ(result.size(), count);
    for (const T value : result) ASSERT_NEAR(static_cast<double>(value) / expected, 1, 1e-5);
  }
}

TYPED_TEST(Combine, RefusesAnotherGrid) {
  using T = TypeParam;
  const std::vector<T> values(100, T{1});
  const Bytes a = encoded(values, grid_parameters(1e-3, 2));
  Bytes out(10000);
  for (const Parameters& other : {grid_parameters(1e-3, 3), grid_parameters(2e-3, 2)}) {
    const Bytes b = encoded(values, other);
    EXPECT_EQ(bounded::combine(Operation::sum, type_of<T>, 100, a, b, out).error,
              Error::mismatched_grid);
    EXPECT_EQ(bounded::combine_values(Operation::sum, type_of<T>, a,
                                      std::as_bytes(std::span(values)), other, out)
                  .error,
              Error::mismatched_grid);
  }
  EXPECT_EQ(bounded::combine(Operation::sum, type_of<T>, 99, a, a, out).error, Error::damaged);
}

TYPED_TEST(Combine, SurvivesFlippedBytes) {
  using T = TypeParam;
  std::mt19937_64 random(9);
  for (int round = 0; round < 2000; ++round) {
    const auto shape = static_cast<Shape>(random() % static_cast<unsigned>(Shape::last));
    const std::size_t count = 1 + random() % 2100;
    const Parameters parameters = grid_parameters(1e-3, 2, 64);
    Bytes a = encoded(make_data<T>(shape, count, 1e-3, random()), parameters);
    const Bytes b = encoded(make_data<T>(shape, count, 1e-3, random()), parameters);
    for (int flips = 0; flips < 3; ++flips) {
      a[bounded::header_size + random() % (a.size() - bounded::header_size)] =
          std::byte(random() & 0xff);
    }
    Bytes out(bounded_under_test().max_encoded_size(type_of<T>, count));
    const Result result = bounded::combine(Operation::sum, type_of<T>, count, a, b, out);
    ASSERT_TRUE(result.ok() || result.error == Error::damaged ||
                result.error == Error::other_version);
    if (!result.ok()) continue;
    out.resize(result.size);
    std::vector<T> values(count);
    ASSERT_EQ(decode_into(out, values), Error::none);
  }
}

}  // namespace
}  // namespace tightwire::codec
