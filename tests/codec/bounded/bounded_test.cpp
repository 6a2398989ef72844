// The promises of `bounded` for single encodings.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/error_bound.h"
#include "exact/difference.h"

namespace tightwire::codec {
namespace {

template <class T>
void expect_within_bound(const std::vector<T>& values, const std::vector<T>& result, double bound) {
  ASSERT_EQ(values.size(), result.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (must_be_exact(values[i])) {
      ASSERT_TRUE(same_bits(values[i], result[i])) << "special value at " << i;
    } else {
      ASSERT_FALSE(differs_by_more(values[i], result[i], bound))
          << values[i] << " became " << result[i] << " at " << i << ", bound " << bound;
    }
  }
}

template <class T>
class Bounded : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Bounded, FloatTypes);

TYPED_TEST(Bounded, KeepsTheBoundOnHardData) {
  using T = TypeParam;
  for (int shape = 0; shape < static_cast<int>(Shape::last); ++shape) {
    for (const double bound : {1e-3, 0.37, 1e-12, 3e8, 1e-30, 1e30, 5e-324, 1.7e308}) {
      for (const std::size_t count : {0, 1, 15, 16, 17, 1023, 1024, 1025, 5000}) {
        for (const std::uint32_t row : {0u, 1u, 100u, 8192u}) {
          SCOPED_TRACE(testing::Message() << "shape " << shape << " bound " << bound << " count "
                                          << count << " row " << row);
          const auto values = make_data<T>(static_cast<Shape>(shape), count, bound, count + row);
          const Bytes bytes = encoded(values, grid_parameters(bound, 1, row));
          ASSERT_FALSE(bytes.empty());
          std::vector<T> result(count);
          ASSERT_EQ(decode_into(bytes, result), Error::none);
          expect_within_bound(values, result, bound);
          if (testing::Test::HasFatalFailure()) return;
        }
      }
    }
  }
}

RC_GTEST_PROP(BoundedProperty, KeepsTheBoundForAnyFloats, (const std::vector<float>& some)) {
  const double bound =
      std::ldexp(1.0 + *rc::gen::inRange(0, 1000) / 1000.0, *rc::gen::inRange(-40, 40));
  const auto bits =
      *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::arbitrary<std::uint32_t>());
  std::vector<float> values = some;
  for (const std::uint32_t b : bits) values.push_back(std::bit_cast<float>(b));
  const auto terms = *rc::gen::inRange<std::uint32_t>(1, 5000);
  const Bytes bytes = encoded(values, grid_parameters(bound, terms));
  RC_ASSERT(!bytes.empty());
  const auto result = decoded<float>(bytes, values.size());
  RC_ASSERT(result.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool kept = must_be_exact(values[i]) ? same_bits(values[i], result[i])
                                               : !differs_by_more(values[i], result[i], bound);
    RC_ASSERT(kept);
  }
}

TYPED_TEST(Bounded, EncodesValuesItDecodedToTheSameBytes) {
  using T = TypeParam;
  const auto values = make_data<T>(Shape::smooth, 3000, 1e-3, 5);
  const Bytes bytes = encoded(values, grid_parameters(1e-3));
  EXPECT_EQ(encoded(decoded<T>(bytes, values.size()), grid_parameters(1e-3)), bytes);
}

TYPED_TEST(Bounded, ZerosAreNearlyFree) {
  using T = TypeParam;
  const std::vector<T> zeros(1 << 20);
  EXPECT_LT(encoded(zeros, grid_parameters(1e-3)).size(), 100U);
  const std::vector<T> constant(1 << 20, T(42.4242));
  EXPECT_LT(encoded(constant, grid_parameters(1e-3)).size(), 200U);
}

TYPED_TEST(Bounded, OneNegativeZeroCostsThreeBytesOfItsBlock) {
  using T = TypeParam;
  std::vector<T> values = make_data<T>(Shape::smooth, 1024, 1e-3, 1);
  values[500] = 0;
  const std::size_t without = encoded(values, grid_parameters(1e-3)).size();
  values[500] = -T{0};
  EXPECT_LE(encoded(values, grid_parameters(1e-3)).size(), without + 8);
}

// As in the tails of a wave packet: a field that falls below the normal numbers and ends in zeros.
TYPED_TEST(Bounded, SubnormalTailsCostLittleMoreThanZeros) {
  using T = TypeParam;
  std::vector<T> values(1 << 16);
  const double width = static_cast<double>(values.size()) / 4;
  const double fall = 2.5 * std::numeric_limits<T>::min_exponent;
  const std::size_t middle = values.size() / 2;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = (static_cast<double>(i) - static_cast<double>(middle)) / width;
    values[i] = static_cast<T>(std::cos(static_cast<double>(i) * 0.1) * std::exp2(fall * x * x));
  }
  std::vector<T> flushed = values;
  std::size_t subnormals = 0;
  for (T& value : flushed) {
    if (std::fpclassify(value) != FP_SUBNORMAL) continue;
    value = 0;
    ++subnormals;
  }
  ASSERT_GT(subnormals, 500U);
  const std::size_t more = encoded(values, grid_parameters(1e-4)).size() -
                           encoded(flushed, grid_parameters(1e-4)).size();
  EXPECT_LT(more, subnormals * sizeof(T) * 3 / 4);
}

TYPED_TEST(Bounded, RowsAboveAreUsedWhereTheyPay) {
  using T = TypeParam;
  std::vector<T> values(200 * 200);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto column = static_cast<double>(i % 200);
    const std::size_t line = i / 200;
    const auto row = static_cast<double>(line);
    values[i] = static_cast<T>(std::sin(column * 0.1) * std::cos(row * 0.2));
  }
  const Bytes bytes = encoded(values, grid_parameters(1e-5, 1, 200));
  EXPECT_EQ(bytes[2], std::byte{3}) << "reach";
  std::vector<T> result(values.size());
  ASSERT_EQ(decode_into(bytes, result), Error::none);
  expect_within_bound(values, result, 1e-5);
}

TYPED_TEST(Bounded, RowLengthPaysOnRows) {
  using T = TypeParam;
  std::vector<T> values(100 * 200);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> profile(200);
  for (double& p : profile) p = normal(random);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / 200;
    values[i] = static_cast<T>(profile[i % 200] * (1 + 1e-3 * static_cast<double>(row)));
  }
  const std::size_t flat = encoded(values, grid_parameters(1e-3)).size();
  EXPECT_LT(encoded(values, grid_parameters(1e-3, 1, 200)).size() * 2, flat);
}

TYPED_TEST(Bounded, RefusesBadParameters) {
  const std::vector<TypeParam> values(10);
  for (const double bound : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(encoded(values, grid_parameters(bound)).empty()) << bound;
  }
  EXPECT_TRUE(encoded(values, grid_parameters(1e-3, 0)).empty());
  Bytes out(1000);
  const Result result = bounded_under_test().encode(
      ElementType::int32, std::as_bytes(std::span(values)), grid_parameters(1e-3), out);
  EXPECT_EQ(result.error, Error::unsupported_type);
}

TYPED_TEST(Bounded, AnswersATooSmallBuffer) {
  using T = TypeParam;
  const auto values = make_data<T>(Shape::noise, 3000, 1e-3, 3);
  const Bytes whole = encoded(values, grid_parameters(1e-3));
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    Bytes out(size);
    const Result result = bounded_under_test().encode(type_of<T>, std::as_bytes(std::span(values)),
                                                      grid_parameters(1e-3), out);
    ASSERT_EQ(result.error, Error::output_too_small) << size;
  }
}

TYPED_TEST(Bounded, RefusesEveryTruncationAndExtension) {
  using T = TypeParam;
  for (const Shape shape : {Shape::smooth, Shape::specials, Shape::any_bits, Shape::sparse}) {
    const auto values = make_data<T>(shape, 2100, 1e-3, 3);
    Bytes bytes = encoded(values, grid_parameters(1e-3));
    std::vector<T> result(values.size());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ASSERT_EQ(decode_into(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(size)), result),
                Error::damaged);
    }
    bytes.push_back(std::byte{0});
    ASSERT_EQ(decode_into(bytes, result), Error::damaged);
    bytes.pop_back();
    result.push_back(0);
    ASSERT_EQ(decode_into(bytes, result), Error::damaged);
  }
}

TYPED_TEST(Bounded, SurvivesFlippedBytes) {
  using T = TypeParam;
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    const auto shape = static_cast<Shape>(random() % static_cast<unsigned>(Shape::last));
    const auto values = make_data<T>(shape, 1 + random() % 2100, 1e-3, random());
    Bytes bytes = encoded(values, grid_parameters(1e-3, 1, round % 2 == 0 ? 64 : 0));
    for (int flips = 0; flips < 3; ++flips)
      bytes[random() % bytes.size()] = std::byte(random() & 0xff);
    std::vector<T> result(values.size());
    const Error error = decode_into(bytes, result);
    ASSERT_TRUE(error == Error::none || error == Error::damaged || error == Error::other_version);
  }
}

}  // namespace
}  // namespace tightwire::codec
