// The extent of finite values is the same by all instruction sets, wherever they stand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "codec/fill/find.h"
#include "codec/simd/kernels.h"

namespace tightwire::codec {
namespace {

template <class T>
constexpr ElementType type_of = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;

template <class T>
Extent extent_by(const Kernels& kernels, const std::vector<T>& values) {
  return kernels.finite_extent(type_of<T>, std::as_bytes(std::span(values)));
}

// One by one.
template <class T>
Extent expected_extent(const std::vector<T>& values) {
  Extent extent{std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  for (const T value : values) {
    if (!std::isfinite(value)) continue;
    extent.smallest = std::min<double>(extent.smallest, value);
    extent.largest = std::max<double>(extent.largest, value);
  }
  return extent;
}

template <class T>
class FiniteExtent : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FiniteExtent, FloatTypes);

TYPED_TEST(FiniteExtent, IsThatOfAllValuesThatAreFinite) {
  using T = TypeParam;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  std::minstd_rand random(3);
  for (const std::size_t count : {1U, 7U, 64U, 65U, 255U, 256U, 1000U, 4099U}) {
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(static_cast<double>(random()) - 1e9);
    // The ends stand anywhere, and others are none.
    values[random() % count] = T(3e9);
    values[random() % count] = T(-3e9);
    for (const T none : {infinity, -infinity, std::numeric_limits<T>::quiet_NaN()}) {
      if (count > 60) values[random() % count] = none;
    }
    const Extent expected = expected_extent(values);
    for (const Kernels* kernels : all_kernels()) {
      if (!kernels->runs()) continue;
      const Extent extent = extent_by(*kernels, values);
      EXPECT_EQ(extent.smallest, expected.smallest) << kernels->name << " " << count;
      EXPECT_EQ(extent.largest, expected.largest) << kernels->name << " " << count;
    }
  }
}

TYPED_TEST(FiniteExtent, HoldsTheLargestNumbers) {
  using T = TypeParam;
  constexpr T limit = std::numeric_limits<T>::max();
  std::vector<T> values(300, limit);
  for (const Kernels* kernels : all_kernels()) {
    if (!kernels->runs()) continue;
    EXPECT_EQ(extent_by(*kernels, values).smallest, limit) << kernels->name;
    EXPECT_EQ(extent_by(*kernels, values).largest, limit) << kernels->name;
  }
}

TYPED_TEST(FiniteExtent, IsNoneWhereNothingIsFinite) {
  using T = TypeParam;
  for (const T none : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    const std::vector<T> values(100, none);
    for (const Kernels* kernels : all_kernels()) {
      if (!kernels->runs()) continue;
      const Extent extent = extent_by(*kernels, values);
      EXPECT_GT(extent.smallest, extent.largest) << kernels->name;
    }
  }
}

// Which zero is found first depends on the instruction set.
TYPED_TEST(FiniteExtent, OfZerosIsThePositiveOne) {
  using T = TypeParam;
  std::vector<T> values(100, T(0));
  values[40] = -T(0);
  for (const Kernels* kernels : all_kernels()) {
    if (!kernels->runs()) continue;
    EXPECT_FALSE(std::signbit(extent_by(*kernels, values).smallest)) << kernels->name;
    EXPECT_FALSE(std::signbit(extent_by(*kernels, values).largest)) << kernels->name;
  }
}

}  // namespace
}  // namespace tightwire::codec
