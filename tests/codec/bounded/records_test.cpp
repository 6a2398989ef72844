// A bound never changes what is no measurement: whole numbers beside broken ones, and integers in
// the bits of floating-point numbers. A field's -0 and subnormals are values like any other.
#include <gtest/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/error_bound.h"
#include "exact/difference.h"

namespace tightwire::codec {
namespace {

template <class T>
T integer_in_bits(std::uint64_t integer) {
  using Bits = BitsOf<T>;
  return std::bit_cast<T>(static_cast<Bits>(integer & 0xfffff));
}

enum class Identities : bool { no, yes };

// Of an atom as a molecular-dynamics program packs it: a length, three coordinates, a type, a
// charge, an identity stored in the bits.
template <class T>
std::vector<T> records(std::size_t count, double box, Identities identities,
                       std::mt19937_64& random) {
  std::uniform_real_distribution<double> coordinate(-box, box);
  std::vector<T> values;
  for (std::size_t atom = 0; atom < count; ++atom) {
    values.push_back(T{12});
    for (int i = 0; i < 3; ++i) values.push_back(static_cast<T>(coordinate(random)));
    values.push_back(static_cast<T>(1 + random() % 5));
    values.push_back(random() % 2 == 0 ? T{-0.5} : T{0.25});
    if (identities == Identities::yes) values.push_back(integer_in_bits<T>(1 + random()));
  }
  return values;
}

template <class T>
std::vector<T> field_of(std::size_t count, double least, double most, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> measurement(least, most);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(measurement(random));
  return values;
}

template <class T>
class Records : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Records, FloatTypes);

// An atom that moves to another rank is lost if its coordinates fall back behind the border.
TYPED_TEST(Records, WithIntegersInBitsComeBackAsAWhole) {
  using T = TypeParam;
  std::mt19937_64 random(9);
  for (const double bound : {1e-6, 1e-4, 0.5, 100.0}) {
    for (int round = 0; round < 20; ++round) {
      const auto values = records<T>(1 + random() % 2000, 50, Identities::yes, random);
      const auto result = round_trip(values, bound);
      ASSERT_TRUE(same_bits(values, result));
    }
  }
}

// A grid that begins elsewhere, in the middle of most values where others are very far, has no 0.
TYPED_TEST(Records, AZeroAmongIntegersInBitsIsOneOfThem) {
  using T = TypeParam;
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> near(-11412, 0);
  std::uniform_real_distribution<double> far(-1e30, 1e30);
  std::vector<T> values(20000);
  for (T& value : values) {
    value = static_cast<T>(random() % 16 == 0   ? 0
                           : random() % 16 == 0 ? far(random)
                                                : near(random));
  }
  values[777] = sizeof(T) == 4 ? T(0x1p-110) : T(0x1p-600);
  for (const double bound : {0.3, 4.0}) {
    const auto result = round_trip(values, bound);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0 || i == 777) {
        ASSERT_TRUE(same_bits(values[i], result[i])) << values[i] << " became " << result[i];
      }
    }
  }
}

TYPED_TEST(Records, WholeNumbersComeBackAsTheyWere) {
  using T = TypeParam;
  std::mt19937_64 random(5);
  for (const double bound : {1e-6, 1e-4, 0.013, 0.5, 1.0, 3.0, 100.0}) {
    for (int round = 0; round < 20; ++round) {
      const auto values = records<T>(1 + random() % 2000, 50, Identities::no, random);
      const auto result = round_trip(values, bound);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::trunc(values[i]) == values[i]) {
          ASSERT_TRUE(same_bits(values[i], result[i])) << values[i] << " became " << result[i];
        } else {
          ASSERT_TRUE(within_bound(values[i], result[i], bound)) << values[i];
        }
      }
    }
  }
}

// Of any size, and quarters where the bound is finer than they are.
TYPED_TEST(Records, WholeNumbersComeBackForAnyBound) {
  using T = TypeParam;
  std::mt19937_64 random(17);
  for (int round = 0; round < 300; ++round) {
    const double bound = std::exp2(static_cast<double>(random() % 2300) / 100 - 20);
    auto values = field_of<T>(1500, -40, 40, static_cast<unsigned>(round));
    for (std::size_t i = 0; i < values.size(); i += 3) {
      const auto large = static_cast<T>(random() >> (12 + random() % 50));
      values[i] = random() % 2 == 0 ? large : static_cast<T>(random() % 400) / 4 - 50;
    }
    const auto result = round_trip(values, bound);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_TRUE(same_bits(values[i], result[i]) || within_bound(values[i], result[i], bound));
      const T scaled = bound < 0.125 ? values[i] * 4 : values[i];
      if (i % 3 == 0 && std::trunc(scaled) == scaled) {
        ASSERT_TRUE(same_bits(values[i], result[i]))
            << values[i] << " became " << result[i] << ", bound " << bound;
      }
    }
  }
}

TYPED_TEST(Records, AWholeNumberCostsTheOthersNextToNothing) {
  using T = TypeParam;
  auto values = field_of<T>(100000, 20, 40, 18);
  for (const double bound : {1e-3, 1.3e-3, 1.6e-3, 1.9e-3}) {
    values[777] = T(12.3);
    const std::size_t without = encoded(values, alone_parameters(bound)).size();
    values[777] = T{12};
    EXPECT_LT(encoded(values, alone_parameters(bound)).size(), without * 102 / 100) << bound;
  }
}

TYPED_TEST(Records, OneLengthAmongAMillionCoordinatesIsEnough) {
  using T = TypeParam;
  auto values = field_of<T>(1000000, 20, 40, 6);
  values[777777] = T{12};
  EXPECT_EQ(round_trip(values, 1e-3)[777777], T{12});
  EXPECT_EQ(round_trip(values, 2.9)[777777], T{12});
}

TYPED_TEST(Records, OneIntegerInBitsLateInAFieldIsEnough) {
  using T = TypeParam;
  auto values = field_of<T>(100000, 0.1, 0.9, 8);
  values[77777] = integer_in_bits<T>(4321);
  EXPECT_TRUE(same_bits(values, round_trip(values, 1e-3)));
}

// A tiny measurement among identities does not make a field that decays, nor do identities that are
// tiny numbers themselves.
TYPED_TEST(Records, IntegersInBitsBesideTinyNumbersComeBack) {
  using T = TypeParam;
  using Bits = BitsOf<T>;
  constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  auto values = field_of<T>(4000, 1, 90, 11);
  for (std::size_t i = 0; i < 100; ++i) values[40 * i] = integer_in_bits<T>(1 + i);
  values[7] = sizeof(T) == 4 ? T(1e-35) : T(1e-295);
  EXPECT_TRUE(same_bits(values, round_trip(values, 1e-3)));
  std::mt19937_64 random(12);
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto bits = static_cast<Bits>(1 + random() % (std::uint64_t{1} << (fraction_bits + 2)));
    values[4 * i] = std::bit_cast<T>(bits);
  }
  EXPECT_TRUE(same_bits(values, round_trip(values, 1e-3)));
  values = field_of<T>(4000, 1, 90, 13);
  for (std::size_t i = 0; i < 9; ++i) values[400 * i] = integer_in_bits<T>(1 + i);
  values[7] = std::numeric_limits<T>::min();
  EXPECT_TRUE(same_bits(values, round_trip(values, 1e-3)));
}

// They look like tiny normal numbers: two 32-bit integers, of which the first has more than 20
// bits, and keys.
TYPED_TEST(Records, LargeIntegersInBitsComeBack) {
  using T = TypeParam;
  using Bits = BitsOf<T>;
  constexpr unsigned most_bits = sizeof(T) == 4 ? 27 : 61;
  std::mt19937_64 random(14);
  for (const double bound : {1e-6, 1e-3, 0.3, 7.0}) {
    for (unsigned bits = std::numeric_limits<T>::digits; bits <= most_bits; ++bits) {
      auto values = field_of<T>(4000, 1, 90, bits);
      for (std::size_t i = 0; i < values.size(); i += 1 + random() % 9) {
        const Bits top = Bits{1} << (bits - 1);
        values[i] = std::bit_cast<T>(static_cast<Bits>(top | (random() & (top - 1))));
      }
      if (random() % 2 == 0) values[7] = T{12};
      const auto result = round_trip(values, bound);
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_TRUE(values[i] < 1e-9 ? same_bits(values[i], result[i])
                                     : within_bound(values[i], result[i], bound))
            << values[i] << " became " << result[i];
      }
    }
  }
}

// A number that stands for nothing, so that logarithms and quotients are defined: exact, and cheap.
TYPED_TEST(Records, AFloorCostsNextToNothing) {
  using T = TypeParam;
  auto values = field_of<T>(20000, 1, 90, 15);
  auto flat = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 700 > 300) continue;
    values[i] = std::numeric_limits<T>::min();
    flat[i] = std::numeric_limits<T>::quiet_NaN();
  }
  EXPECT_EQ(encoded(values, alone_parameters(1e-3)).size(),
            encoded(flat, alone_parameters(1e-3)).size());
}

TYPED_TEST(Records, SimpleFractionsComeBackToo) {
  using T = TypeParam;
  const std::vector<T> values{T{3}, T(0.1), T{0.5}, T{-1.25}, T(7.3), T{-2}};
  const auto result = round_trip(values, 0.1);
  for (const std::size_t i : {0, 2, 3, 5}) EXPECT_EQ(values[i], result[i]);
}

// Float32 has whole numbers by chance, the more of them the larger the numbers are.
TEST(RecordsOfChance, WholeNumbersAreNoReasonForAFinerGrid) {
  const auto values = field_of<float>(100000, 90000, 110000, 7);
  const double bound = 1.9;
  EXPECT_LE(encoded(values, alone_parameters(bound)).size(),
            encoded(values, grid_parameters(bound)).size());
}

// A wave that has come so far: beyond its front the numbers decay to subnormals and change their
// sign.
template <class T>
std::vector<T> front(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(count);
    const double exponent = (sizeof(T) == 4 ? -160.0 : -1100.0) * x;
    values[i] = static_cast<T>((i % 3 == 0 ? -1 : 1) * std::exp2(exponent));
  }
  return values;
}

TYPED_TEST(Records, WhatDecaysCostsNoMoreThanZeros) {
  using T = TypeParam;
  const auto values = front<T>(1 << 16);
  auto flushed = values;
  std::size_t changed = 0;
  for (T& value : flushed) {
    if (!negative_zero_or_subnormal(value)) continue;
    value = 0;
    ++changed;
  }
  ASSERT_GT(changed, values.size() / 50);
  EXPECT_EQ(encoded(values, alone_parameters(1e-3)), encoded(flushed, alone_parameters(1e-3)));
  const auto result = round_trip(values, 1e-3);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(within_bound(values[i], result[i], 1e-3)) << i;
  }
}

TYPED_TEST(Records, TheBoundHoldsForAnyShape) {
  using T = TypeParam;
  std::mt19937_64 random(8);
  for (int shape = 0; shape < static_cast<int>(Shape::last); ++shape) {
    for (const double bound : {1e-3, 0.37, 1e-12, 3e8, 1e-30, 1e30, 5e-324, 1.7e308}) {
      const auto values = make_data<T>(static_cast<Shape>(shape), 3000, bound, random());
      const auto result = round_trip(values, bound);
      for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_TRUE(same_bits(values[i], result[i]) || within_bound(values[i], result[i], bound))
            << values[i] << " became " << result[i] << ", shape " << shape << ", bound " << bound;
      }
    }
  }
}

}  // namespace
}  // namespace tightwire::codec
