// Tiles of values that are small integers once they are transformed.
#include "codec/exact/transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/estimate/estimate.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {
namespace {

using exact::TransformKind;

template <class T>
constexpr ElementType type_of = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;

// Of numbers in [0, 1).
template <class T, class F>
std::vector<T> made(F f) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(0, 1);
  std::vector<T> values(20000);
  for (T& value : values) value = static_cast<T>(f(number(random)));
  return values;
}

template <class T>
Bytes encoded_exactly(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  Bytes out(find(Id::exact)->max_encoded_size(type_of<T>, values.size()));
  const Result result = find(Id::exact)->encode(type_of<T>, bytes, {}, out);
  EXPECT_TRUE(result.ok());
  out.resize(result.size);
  return out;
}

TransformKind kind_of(const Bytes& encoded) {
  EXPECT_EQ(encoded[2], std::byte(exact::Method::tiles));
  return static_cast<TransformKind>(encoded[exact::header_size]);
}

template <class T>
double ratio(const std::vector<T>& values, TransformKind expected) {
  const Bytes encoded = encoded_exactly(values);
  EXPECT_EQ(kind_of(encoded), expected);
  std::vector<T> result(values.size());
  EXPECT_TRUE(
      find(Id::exact)->decode(type_of<T>, encoded, std::as_writable_bytes(std::span(result))).ok());
  EXPECT_TRUE(same_bits(values, result));
  return static_cast<double>(values.size() * sizeof(T)) / static_cast<double>(encoded.size());
}

std::vector<double> decimals() {
  return made<double>([](double x) { return std::floor(x * 100) / 100; });
}

TEST(TilesTransformed, DoublesThatWereFloatsTakeHalf) {
  const auto doubles = made<double>([](double x) { return static_cast<float>(x); });
  EXPECT_GT(ratio(doubles, TransformKind::narrowed), 2);
}

TEST(TilesTransformed, CountsTakeTheirOwnBits) {
  const auto counts = made<float>([](double x) { return std::floor(x * 256); });
  EXPECT_GT(ratio(counts, TransformKind::quotients), 3.2);
}

TEST(TilesTransformed, DecimalsTakeTheirDigits) {
  EXPECT_GT(ratio(decimals(), TransformKind::quotients), 7);
}

// As weather models pack them: multiples of a fine power of two.
TEST(TilesTransformed, PackedNumbersTakeTheirDigits) {
  const auto packed = [](double x) { return std::floor((x - 0.5) * 0x1p17) * 0x1p-12; };
  EXPECT_GT(ratio(made<float>(packed), TransformKind::quotients), 1.6);
  EXPECT_GT(ratio(made<double>(packed), TransformKind::quotients), 3.2);
  const auto fine = [](double x) { return std::floor((x - 0.5) * 0x1p38) * 0x1p-36; };
  EXPECT_GT(ratio(made<double>(fine), TransformKind::quotients), 1.5);
}

TEST(TilesTransformed, PackedNumbersMayHaveFills) {
  const auto packed = [](double x) { return std::floor((x - 0.5) * 0x1p17) * 0x1p-12; };
  auto values = made<double>(packed);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = i % 2 == 0 ? 1e20 : -0.0;
  EXPECT_GT(ratio(values, TransformKind::quotients), 2.5);
}

TEST(TilesTransformed, OneValueThatDoesNotFitIsExactAsWell) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double odd : {1.0 / 3, 1e300, nan, 5e-324, -infinity}) {
    auto values = decimals();
    values[11007] = odd;
    ratio(values, TransformKind::ordered);
  }
}

TEST(TilesTransformed, DamageIsFound) {
  Bytes encoded = encoded_exactly(decimals());
  std::vector<double> result(20000);
  const auto decode = [&] {
    return find(Id::exact)
        ->decode(ElementType::float64, encoded, std::as_writable_bytes(std::span(result)))
        .error;
  };
  ASSERT_EQ(decode(), Error::none);
  encoded[exact::header_size] = std::byte{4};
  EXPECT_EQ(decode(), Error::damaged);
  encoded[exact::header_size] = std::byte(TransformKind::quotients);
  encoded[exact::header_size + 10] = std::byte{exact::most_fills + 1};
  EXPECT_EQ(decode(), Error::damaged);
}

TEST(TilesTransformed, AreEstimated) {
  const auto values = decimals();
  const auto bytes = std::as_bytes(std::span(values));
  const Id wanted[] = {Id::exact};
  const Estimate expected = estimate(ElementType::float64, bytes, {}, wanted);
  EXPECT_NEAR(expected.of(Id::exact)->ratio, ratio(values, TransformKind::quotients), 1);
}

}  // namespace
}  // namespace tightwire::codec
