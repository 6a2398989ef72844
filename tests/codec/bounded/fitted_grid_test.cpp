// An encoding alone has a grid that suits its values: the bound is used up to the type's own
// precision, strictly, and `exact` is never smaller.
#include <gtest/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/error_bound.h"
#include "exact/difference.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t header = 28;  // of `bounded`, before an encoding of `exact`

template <class T>
std::size_t exact_size(const std::vector<T>& values) {
  const Codec& codec = *find(Id::exact);
  Bytes out(codec.max_encoded_size(type_of<T>, values.size()));
  return codec.encode(type_of<T>, std::as_bytes(std::span(values)), {}, out).size;
}

// The size of the encoding, having compared every value.
template <class T>
std::size_t checked_size(const std::vector<T>& values, double bound) {
  const Bytes bytes = encoded(values, alone_parameters(bound));
  EXPECT_FALSE(bytes.empty()) << bound;
  std::vector<T> result(values.size());
  EXPECT_EQ(decode_into(bytes, result), Error::none) << bound;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) ? within_bound(values[i], result[i], bound)
                                 : same_bits(values[i], result[i])) {
      continue;
    }
    ADD_FAILURE() << values[i] << " becomes " << result[i] << ", bound " << bound;
    break;
  }
  return bytes.size();
}

template <class T>
class FittedGrid : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FittedGrid, FloatTypes);

// Every number of the type in a row, with bounds from below its precision upwards.
TYPED_TEST(FittedGrid, HoldsEveryNumberOfTheTypeWithinTheBound) {
  using T = TypeParam;
  std::mt19937_64 random(3);
  for (int round = 0; round < 200 && !this->HasFailure(); ++round) {
    const T first = static_cast<T>(std::exp2(static_cast<double>(random() % 60) - 30) *
                                   (1 + static_cast<double>(random() % 1000) / 1000));
    std::vector<T> values(3000);
    T value = random() % 2 == 0 ? first : -first;
    for (T& each : values) each = value = std::nextafter(value, std::numeric_limits<T>::max());
    const T unit = std::abs(values[1] - values[0]);
    const double bound =
        static_cast<double>(unit) * std::exp2(static_cast<double>(random() % 800) / 100 - 2);
    checked_size(values, bound);
  }
}

TYPED_TEST(FittedGrid, IsNotNeededForNothing) {
  const std::vector<TypeParam> none;
  const Bytes bytes = encoded(none, alone_parameters(std::numeric_limits<TypeParam>::denorm_min()));
  ASSERT_FALSE(bytes.empty()) << "an output buffer of the largest size always suffices";
  std::vector<TypeParam> result;
  EXPECT_EQ(decode_into(bytes, result), Error::none);
}

TYPED_TEST(FittedGrid, HoldsAnyValuesWithinTheBound) {
  using T = TypeParam;
  std::mt19937_64 random(4);
  for (int round = 0; round < 300 && !this->HasFailure(); ++round) {
    const double middle =
        static_cast<double>(random() % 3) * std::exp2(static_cast<double>(random() % 80) - 40);
    const double width = std::exp2(static_cast<double>(random() % 80) - 40);
    std::uniform_real_distribution<double> uniform(middle - width, middle + width);
    std::vector<T> values(2500);
    for (T& each : values) each = static_cast<T>(uniform(random));
    if (random() % 3 == 0) values[random() % 2500] *= T{1000};
    if (random() % 3 == 0) values[random() % 2500] = std::numeric_limits<T>::infinity();
    checked_size(values, width * std::exp2(-static_cast<double>(random() % 60)));
  }
}

// Of two Kelvin about 288, a part in ten thousand.
TYPED_TEST(FittedGrid, IsUsedFarFromZero) {
  using T = TypeParam;
  std::vector<T> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(288 + std::sin(static_cast<double>(i) / 500));
  }
  EXPECT_LT(checked_size(values, 2e-4) * 6, values.size() * sizeof(T));
}

TYPED_TEST(FittedGrid, IsLeftForExactWhereThatIsSmaller) {
  using T = TypeParam;
  std::vector<T> values(100000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(288 + std::sin(static_cast<double>(i) / 500));
  }
  for (int k = 8; k < 200; k += 8) {
    const double bound = std::ldexp(1, -k);
    EXPECT_LE(checked_size(values, bound), exact_size(values) * 103 / 100 + header) << k;
  }
}

// Eighths, within a bound that asks for more digits than they have.
TYPED_TEST(FittedGrid, IsLeftForExactWhereNumbersHaveFewDigits) {
  std::vector<TypeParam> values(20000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = TypeParam(285) + static_cast<TypeParam>(i * i % 37) / TypeParam(8);
  }
  for (const double bound : {1e-2, 1e-3, 1e-5}) {
    EXPECT_LE(checked_size(values, bound), exact_size(values) + header) << bound;
  }
}

// Doubles that were floats, of which neighbours differ by a few units in the last place.
TEST(FittedGridOfDoubles, IsLeftForExactWhereTheyWereFloats) {
  std::mt19937_64 random(6);
  std::vector<double> values(20000);
  float value = 285;
  for (double& each : values) {
    for (auto steps = random() % 3; steps > 0; --steps) value = std::nextafter(value, 300.0F);
    each = double{value};
  }
  for (const double bound : {1e-6, 1e-7, 1e-8}) {
    EXPECT_LE(checked_size(values, bound), exact_size(values) + header) << bound;
  }
}

TYPED_TEST(FittedGrid, HasAStepOfOneForWholeNumbers) {
  using T = TypeParam;
  std::mt19937_64 random(5);
  std::vector<T> values(20000);
  for (T& each : values) each = static_cast<T>(random() % 256);
  const std::size_t coarse = checked_size(values, 0.5);
  EXPECT_EQ(checked_size(values, 1e-6), coarse) << "no bound is finer than the values";
  std::vector<T> result(values.size());
  EXPECT_EQ(decode_into(encoded(values, alone_parameters(1e-6)), result), Error::none);
  EXPECT_EQ(result, values);
}

TYPED_TEST(FittedGrid, IsNoneToCombine) {
  using T = TypeParam;
  const std::vector<T> values{T(1.5), T(2.25), T(0.1)};
  const Bytes bytes = encoded(values, alone_parameters(0.01));
  Bytes out(bounded_under_test().max_encoded_size(type_of<T>, values.size()));
  for (const Bytes& other : {bytes, encoded(values, grid_parameters(0.01))}) {
    EXPECT_EQ(
        bounded::combine(bounded::Operation::sum, type_of<T>, values.size(), bytes, other, out)
            .error,
        Error::mismatched_grid);
  }
}

template <class V>
Error error_with(Bytes bytes, std::size_t offset, V value, std::size_t count) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  std::vector<float> values(count);
  return decode_into(bytes, values);
}

TEST(FittedGridHeader, IsChecked) {
  const std::vector<float> values{1.5F, 2.25F, 0.1F};
  const Bytes bytes = encoded(values, alone_parameters(0.01));
  ASSERT_EQ(error_with(bytes, 0, std::uint8_t{3}, 3), Error::none) << "the version";
  EXPECT_EQ(error_with(bytes, 0, std::uint8_t{2}, 3), Error::other_version);
  EXPECT_EQ(error_with(bytes, 3, std::uint8_t{3}, 3), Error::damaged) << "no kind of grid";
  EXPECT_EQ(error_with(bytes, 3, std::uint8_t{2}, 3), Error::damaged) << "exact has no step";
  const double steps[] = {0.0, -1.0, std::nan(""), HUGE_VAL, 0x1p-101, 0x1.8p100, 0.1};
  for (const double step : steps) EXPECT_EQ(error_with(bytes, 20, step, 3), Error::damaged) << step;
  EXPECT_EQ(error_with(bytes, 20, 0.125, 3), Error::none);
  for (const float origin : {HUGE_VALF, std::nanf(""), -0x1p101F}) {
    EXPECT_EQ(error_with(bytes, 8, origin, 3), Error::damaged) << origin;
  }
  EXPECT_EQ(error_with(bytes, 8, -0x1p100F, 3), Error::none);
}

}  // namespace
}  // namespace tightwire::codec
