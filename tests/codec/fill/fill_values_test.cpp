// The one rule of what a fill value is, and that such values come back exactly.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "bounded/support.h"
#include "codec/fill/find.h"

namespace tightwire::codec {
namespace {

template <class T>
std::vector<T> between(double least, double most, std::size_t count) {
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> measurement(least, most);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(measurement(random));
  return values;
}

template <class T>
FillValues fills_in(const std::vector<T>& values, double bound = 0) {
  const auto bytes = std::as_bytes(std::span(values));
  return find_fill_values<T>(bytes, finite_extent<T>(bytes), bound);
}

template <class T>
void put(T fill, std::size_t every, std::vector<T>& values) {
  for (std::size_t i = every / 2; i < values.size(); i += every) values[i] = fill;
}

template <class T>
void expect_exact(const std::vector<T>& values, double bound, std::initializer_list<T> fills) {
  std::vector<T> result(values.size());
  ASSERT_EQ(decode_into(encoded(values, alone_parameters(bound)), result), Error::none);
  ASSERT_TRUE(all_within(values, result, bound)) << bound;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const T fill : fills) {
      if (values[i] != fill) continue;
      ASSERT_TRUE(same_bits(values[i], result[i])) << fill << " became " << result[i] << bound;
    }
  }
}

template <class T>
class FillValue : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FillValue, FloatTypes);

// Too far apart for the bound, so that the grid holds a part of them.
TYPED_TEST(FillValue, IsExactBesideValuesFarFromZero) {
  using T = TypeParam;
  auto values = between<T>(6.7e5 - 7, 6.7e5 + 7, 20000);
  put(T{-9999}, 5, values);
  const double unit = 6.7e5 * static_cast<double>(std::numeric_limits<T>::epsilon());
  for (const double bound : {1e-3, 0.02, 0.1, 1.0, unit, 8 * unit}) {
    expect_exact(values, bound, {T{-9999}});
  }
}

TYPED_TEST(FillValue, IsExactWhereOneValueIsWhole) {
  using T = TypeParam;
  for (const double fill : {-999.9, -0.9999, 1e20, 0.3}) {
    auto values = between<T>(11, 13, 5000);
    values[1234] = T{12};
    put(static_cast<T>(fill), 7, values);
    for (const double bound : {1e-6, 1e-3, 0.1, 0.4}) {
      expect_exact(values, bound, {static_cast<T>(fill)});
      std::vector<T> result(values.size());
      ASSERT_EQ(decode_into(encoded(values, alone_parameters(bound)), result), Error::none);
      EXPECT_EQ(result[1234], T{12}) << fill;
    }
  }
}

TYPED_TEST(FillValue, IsExactBesideInfinity) {
  using T = TypeParam;
  auto values = between<T>(270, 304, 20000);
  put(T(-9999.9), 3, values);
  values[777] = std::numeric_limits<T>::infinity();
  for (const double bound : {1e-4, 0.1, 3.0}) expect_exact(values, bound, {T(-9999.9)});
}

TYPED_TEST(FillValue, IsExactWhereItIsRare) {
  using T = TypeParam;
  auto values = between<T>(270, 304, 1000000);
  values[500001] = values[876543] = T(-9999.9);
  for (const double bound : {1e-2, 3.0}) expect_exact(values, bound, {T(-9999.9)});
}

TYPED_TEST(FillValue, IsExactWhereThereIsLittleElse) {
  using T = TypeParam;
  std::vector<T> values(100000, T(-9999.9));
  values[5000] = T(0.3);
  values[70000] = T(0.31);
  expect_exact(values, 1e-3, {T(-9999.9)});
  std::vector<T> constant(1000, T(0.1));
  put(T(-9999.9), 3, constant);
  expect_exact(constant, 1e-3, {T(-9999.9)});
}

TYPED_TEST(FillValue, MayBeSeveral) {
  using T = TypeParam;
  auto values = between<T>(270, 304, 9000);
  put(T(-9999.9), 11, values);
  put(T(-8888.8), 13, values);
  put(T(1e20), 17, values);
  values[17] = T(-1e6);  // beyond, and alone
  EXPECT_EQ(fills_in(values).count, 4);
  expect_exact(values, 1e-3, {T(-9999.9), T(-8888.8), T(1e20), T(-1e6)});
  auto both = between<T>(270, 304, 9000);
  put(T(1e20), 11, both);
  put(T(-1e20), 13, both);
  EXPECT_EQ(fills_in(both).count, 2);
}

TYPED_TEST(FillValue, IsNoneThatStandsThereOnceOrAmongOthers) {
  using T = TypeParam;
  auto values = between<T>(270, 304, 9000);
  EXPECT_EQ(fills_in(values).count, 0);
  values[17] = T(-9999);
  EXPECT_EQ(fills_in(values).count, 0);
  values[18] = values[19] = T(304 + 3 * 34);
  values[17] = T(280);
  EXPECT_EQ(fills_in(values).count, 0) << "a clipped peak";
  EXPECT_EQ(fills_in(std::vector<T>(100, T{3})).count, 0);
  EXPECT_EQ(fills_in(std::vector<T>{}).count, 0);
}

TYPED_TEST(FillValue, IsNoneThatTheBoundCouldAddUpTo) {
  using T = TypeParam;
  auto values = between<T>(0, 1, 9000);
  put(T(-99), 11, values);
  EXPECT_EQ(fills_in(values, 12).count, 1);
  EXPECT_EQ(fills_in(values, 13).count, 0);
  for (const double bound : {0.01, 0.6, 2.0, 5.0, 12.0}) expect_exact(values, bound, {T(-99)});
}

// By the slowest way to find it.
TYPED_TEST(FillValue, IsFoundAsTheRuleSays) {
  using T = TypeParam;
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    auto values = between<T>(-1, 1, 20 + random() % 3000);
    const T fill = static_cast<T>(std::ldexp(1 + double(random() % 8) / 8, int(random() % 12)));
    const std::size_t times = random() % 4;
    for (std::size_t i = 0; i < times; ++i) values[i * values.size() / 4] = fill;
    Extent others{1, -1};
    std::size_t found = 0;
    for (const T value : values) {
      if (value == fill) {
        ++found;
        continue;
      }
      others.smallest = std::min(others.smallest, static_cast<double>(value));
      others.largest = std::max(others.largest, static_cast<double>(value));
    }
    const bool apart = static_cast<double>(fill) - others.largest > 4 * others.width();
    EXPECT_EQ(fills_in(values).count, found > 1 && apart ? 1U : 0U) << fill;
  }
}

}  // namespace
}  // namespace tightwire::codec
