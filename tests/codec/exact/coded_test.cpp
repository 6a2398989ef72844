// The entropy coder of `exact`: what it takes, and that nothing else is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/entropy/huffman.h"
#include "codec/exact/layout.h"
#include "codec/exact/transform.h"

namespace tightwire::codec {
namespace {

Bytes coded(ElementType type, const Bytes& values, std::uint32_t row_length = 0) {
  const Codec& codec = *find(Id::exact);
  Parameters parameters;
  parameters.second_stage = SecondStage::entropy;
  parameters.row_length = row_length;
  Bytes out(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, parameters, out);
  EXPECT_TRUE(result.ok());
  out.resize(result.size);
  return out;
}

bool comes_back(ElementType type, const Bytes& values, const Bytes& encoded) {
  Bytes result(values.size());
  return find(Id::exact)->decode(type, encoded, result).ok() && result == values;
}

double ratio(ElementType type, const Bytes& values, std::uint32_t row_length = 0) {
  const Bytes encoded = coded(type, values, row_length);
  EXPECT_TRUE(comes_back(type, values, encoded));
  return static_cast<double>(values.size()) / static_cast<double>(encoded.size());
}

// About as even as noise can be, in [0, 1).
double noise(std::size_t i) {
  auto x = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15u;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9u;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

template <class T, class F>
Bytes made(std::size_t count, F f) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(f(i));
  return bytes_of(values);
}

exact::TransformKind kind_of(ElementType type, const Bytes& values) {
  const Bytes encoded = coded(type, values);
  EXPECT_NE(encoded[2], std::byte(exact::Method::stored));  // tiles have a transform, too
  return static_cast<exact::TransformKind>(encoded[exact::header_size]);
}

TEST(Coded, DoublesThatWereFloatsTakeHalf) {
  const Bytes floats = made<float>(50000, [](auto i) { return std::exp(noise(i)); });
  const Bytes doubles =
      made<double>(50000, [](auto i) { return static_cast<float>(std::exp(noise(i))); });
  EXPECT_EQ(kind_of(ElementType::float64, doubles), exact::TransformKind::narrowed);
  EXPECT_NEAR(ratio(ElementType::float64, doubles), 2 * ratio(ElementType::float32, floats), 0.02);
}

TEST(Coded, DecimalsAreWholeNumbers) {
  // 2 digits of 100 values: 6.6 bits each.
  const Bytes decimals =
      made<double>(50000, [](auto i) { return std::floor(noise(i) * 100) / 100; });
  EXPECT_EQ(kind_of(ElementType::float64, decimals), exact::TransformKind::quotients);
  EXPECT_GT(ratio(ElementType::float64, decimals), 9);
}

TEST(Coded, FillsAndNegativeZeroLeaveWholeNumbersWhole) {
  const Bytes filled = made<float>(50000, [](auto i) {
    if (noise(i + 7) < 0.36) return 1e20;
    return i % 977 == 0 ? -0.0 : std::floor(noise(i) * 256);
  });
  EXPECT_EQ(kind_of(ElementType::float32, filled), exact::TransformKind::quotients);
  EXPECT_GT(ratio(ElementType::float32, filled), 3.5);
}

TEST(Coded, OneValueThatDoesNotFitIsExactAsWell) {
  auto values = std::vector<double>(50000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::floor(noise(i) * 100) / 100;
  for (const double odd : std::vector<double>{1.0 / 3, 1e300, std::nan("7"), 5e-324, -HUGE_VAL}) {
    values[31007] = odd;
    const Bytes bytes = bytes_of(values);
    EXPECT_TRUE(comes_back(ElementType::float64, bytes, coded(ElementType::float64, bytes)));
  }
}

TEST(Coded, ComponentsAreFound) {
  const auto component = [](std::size_t i) {
    return static_cast<float>(static_cast<double>(1 + i % 3 * 10) *
                              (2 + std::sin(static_cast<double>(i / 3) * 1e-3)));
  };
  EXPECT_GT(ratio(ElementType::float32, made<float>(60000, component)), 2.5);
}

TEST(Coded, SmoothPlanesTakeDifferencesOfHighOrder) {
  const auto plane = [](std::size_t i) {
    return std::sin(static_cast<double>(i % 512) * 0.01) *
           std::cos(static_cast<double>(i / 512) * 0.01);
  };
  const Bytes values = made<double>(512 * 128, plane);
  EXPECT_GT(ratio(ElementType::float64, values, 512), 2.5);
}

// Numbers of 16 bits have no type of MPI's: programs send them as shorts or bytes. Heavy-tailed
// ones as weights and gradients are: their exponents, which are the upper bits, are few.
double heavy_tailed(std::size_t i) {
  return (noise(i) - 0.5) * std::exp2(4 * noise(i + 77777) - 9);
}

std::uint16_t upper_half(float value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

// Normal numbers only, cut.
std::uint16_t half_precision(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rest =
      (bits & 0x7fffffff) < 0x38800000 ? 0 : (bits & 0x7fffffff) - 0x38000000;
  return static_cast<std::uint16_t>(bits >> 16 & 0x8000) | static_cast<std::uint16_t>(rest >> 13);
}

TEST(Coded, FloatsOfSixteenBitsTakeTheirExponentsAndDigits) {
  const Bytes wide = made<std::uint16_t>(
      50000, [](auto i) { return upper_half(static_cast<float>(heavy_tailed(i))); });
  const Bytes narrow = made<std::uint16_t>(
      50000, [](auto i) { return half_precision(static_cast<float>(heavy_tailed(i))); });
  EXPECT_GT(ratio(ElementType::int16, wide), 1.3);
  EXPECT_GT(ratio(ElementType::int16, narrow), 1.05);
  EXPECT_GT(ratio(ElementType::bytes, wide), 1.2);
  EXPECT_GT(ratio(ElementType::bytes, narrow), 1.05);
}

template <class T>
void expect_short_integers(ElementType type) {
  const double bits = 8 * sizeof(T);
  const auto of_bits = [](unsigned some, unsigned zeros) {
    return made<T>(50000, [&](auto i) {
      return static_cast<T>(static_cast<T>(std::ldexp(noise(i), int(some))) << zeros);
    });
  };
  EXPECT_GT(ratio(type, of_bits(10, 0)), 0.92 * bits / 10);
  EXPECT_GT(ratio(type, of_bits(10, sizeof(T) * 8 - 12)), 0.92 * bits / 10);
  const Bytes counter = made<T>(50000, [](auto i) { return i * 24 + 1000; });
  EXPECT_GT(ratio(type, counter), 100);
}

TEST(Coded, IntegersTakeTheirOwnBits) {
  expect_short_integers<std::int16_t>(ElementType::int16);
  expect_short_integers<std::int32_t>(ElementType::int32);
  expect_short_integers<std::int64_t>(ElementType::int64);
}

// A sum of waves that is smooth to the last digits of doubles: each order halves what is left.
TEST(Coded, SmoothCurvesTakeSevenDifferences) {
  const Bytes values = made<double>(60000, [](auto i) {
    const double t = static_cast<double>(i) / 100;
    return 300 + std::sin(t) + std::sin(1.7 * t + 1);
  });
  const double found = ratio(ElementType::float64, values);
  EXPECT_GT(found, 5);
}

TEST(Coded, RareChangesTakeLessThanABit) {
  const auto walk = [](double part) {
    std::int32_t value = 0;
    std::vector<std::int32_t> values(100000);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double chance = noise(i);
      if (chance < part) value += chance < part / 2 ? 1 : -1;
      values[i] = value;
    }
    return bytes_of(values);
  };
  // Entropies are 0.28, 0.077 and 0.031 bits a value.
  EXPECT_GT(ratio(ElementType::int32, walk(0.04)), 32 / 0.4);
  EXPECT_GT(ratio(ElementType::int32, walk(0.008)), 32 / 0.18);
  EXPECT_GT(ratio(ElementType::int32, walk(0.003)), 32 / 0.16);
}

TEST(Coded, LargeHeavyTailedFieldsTakeTheirExponents) {
  const Bytes values =
      made<float>(100000, [](auto i) { return std::tan(3.14 * (noise(i) - 0.5)); });
  EXPECT_GT(ratio(ElementType::float32, values), 1.12);
}

// Few values, values far apart, long runs, and any bits.
RC_GTEST_PROP(CodedProperty, ReturnsEveryBit, ()) {
  const auto type = static_cast<ElementType>(*rc::gen::inRange(0, 7));
  const auto count = *rc::gen::inRange<std::size_t>(0, 40000);
  const auto seed = *rc::gen::inRange<std::size_t>(0, 1 << 20);
  const auto width = *rc::gen::inRange(1, 65);
  const auto run = *rc::gen::inRange<std::size_t>(1, 50);
  const auto row = *rc::gen::element<std::uint32_t>(0, 3, 16, 100, 8192);
  std::vector<std::uint64_t> words(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t x = (i / run + seed) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    words[i] = x >> (64 - width);
  }
  const Bytes values = bytes_of(words);
  RC_ASSERT(comes_back(type, values, coded(type, values, row)));
}

RC_GTEST_PROP(HuffmanProperty, CodesAreCompleteAndTheirLengthsComeBack,
              (const std::vector<std::uint32_t>& counts)) {
  entropy::Counts all{};
  for (std::size_t t = 0; t < std::min(counts.size(), all.size()); ++t) {
    all[t] = counts[t] >> counts[t] % 32;  // of all sizes, for lengths beyond the limit
  }
  const bool any = std::ranges::any_of(all, [](auto count) { return count != 0; });
  if (!any) all[5] = 1;
  for (auto& count : all) count = std::min(count, 1u << 22);
  const entropy::Lengths lengths = entropy::code_lengths(all);
  entropy::Codes codes;
  RC_ASSERT(entropy::codes_of(lengths, codes));
  std::byte table[entropy::largest_table];
  const std::size_t size = entropy::write_lengths(lengths, table);
  entropy::Lengths read;
  RC_ASSERT(size <= sizeof table);
  RC_ASSERT(entropy::read_lengths({table, size}, read) == size);
  RC_ASSERT(read == lengths);
  for (std::size_t t = 0; t < all.size(); ++t) RC_ASSERT((all[t] != 0) == (lengths[t] != 0));
}

TEST(Huffman, RefusesLengthsThatAreNoCode) {
  entropy::Codes codes;
  entropy::Lengths lengths{};
  EXPECT_FALSE(entropy::codes_of(lengths, codes));  // none
  lengths[3] = 2;
  EXPECT_FALSE(entropy::codes_of(lengths, codes));  // one alone has length 1
  lengths[3] = 1;
  EXPECT_TRUE(entropy::codes_of(lengths, codes));
  lengths[4] = 2;
  EXPECT_FALSE(entropy::codes_of(lengths, codes));  // incomplete
  lengths[5] = 1;
  EXPECT_FALSE(entropy::codes_of(lengths, codes));  // too many
  lengths[4] = 0;
  EXPECT_TRUE(entropy::codes_of(lengths, codes));
}

TEST(Coded, RefusesEveryTruncation) {
  const Bytes values = made<float>(3000, [](auto i) { return std::floor(noise(i) * 100) / 4; });
  const Bytes encoded = coded(ElementType::float32, values);
  ASSERT_EQ(encoded[2], std::byte(exact::Method::coded));
  Bytes result(values.size());
  for (std::size_t size = 0; size < encoded.size(); ++size) {
    const auto part = std::span<const std::byte>(encoded).first(size);
    ASSERT_EQ(find(Id::exact)->decode(ElementType::float32, part, result).error, Error::damaged);
  }
}

}  // namespace
}  // namespace tightwire::codec
