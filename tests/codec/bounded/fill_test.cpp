// Fill values are exact and nearly free, wherever they stand.
#include <gtest/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/error_bound.h"
#include "exact/difference.h"

namespace tightwire::codec {
namespace {

// A smooth field, in rows of 100.
template <class T>
std::vector<T> field(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i % 100);
    const double y = static_cast<double>(i) / 100;
    values[i] = static_cast<T>(std::sin(x / 9) * std::cos(y / 11) + 0.25);
  }
  return values;
}

template <class T>
std::vector<T> fills() {
  return {std::numeric_limits<T>::quiet_NaN(),
          std::numeric_limits<T>::infinity(),
          T(1e20),
          T(9.96921e36),
          T(-9999),
          T(-32767)};
}

// Land: of each row a part that changes from row to row.
bool is_land(std::size_t i) {
  const auto column = static_cast<double>(i % 100);
  const double row = static_cast<double>(i) / 100;
  return column > 30 + 20 * std::sin(row / 15) && column < 70 + 20 * std::cos(row / 21);
}

template <class T>
class Fill : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Fill, FloatTypes);

template <class T>
void expect_right(const std::vector<T>& values, const Bytes& bytes, double bound, T fill) {
  std::vector<T> result(values.size());
  ASSERT_EQ(decode_into(bytes, result), Error::none);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(same_bits(values[i], fill) || !std::isfinite(values[i])
                    ? same_bits(values[i], result[i])
                    : within_bound(values[i], result[i], bound))
        << values[i] << " becomes " << result[i] << " at " << i;
  }
}

TYPED_TEST(Fill, IsExactAndNearlyFree) {
  using T = TypeParam;
  constexpr double bound = 1e-3;
  const std::size_t count = 100000;
  const auto whole = field<T>(count);
  const Parameters parameters = alone_parameters(bound, 100);
  const auto plain = static_cast<double>(encoded(whole, parameters).size());
  for (const T fill : fills<T>()) {
    auto values = whole;
    std::size_t land = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_land(i)) continue;
      values[i] = fill;
      ++land;
    }
    const Bytes bytes = encoded(values, parameters);
    expect_right(values, bytes, bound, fill);
    const double share = 1 - static_cast<double>(land) / static_cast<double>(count);
    // Two changes in a row of 100, so every fourth block has one: two bits a value over all.
    const double for_changes = static_cast<double>(count) / 4;
    EXPECT_LT(static_cast<double>(bytes.size()), plain * share + for_changes) << fill;
  }
}

TYPED_TEST(Fill, TakesAFewBytesWhereThereIsNothingElse) {
  using T = TypeParam;
  for (const T fill : fills<T>()) {
    const std::vector<T> values(1000003, fill);
    const Bytes bytes = encoded(values, grid_parameters(1e-9));
    EXPECT_LT(bytes.size(), 28U + 30U) << fill;
    expect_right(values, bytes, 1e-9, fill);
  }
}

// One value, blocks, tiles and parts of them, at any place.
TYPED_TEST(Fill, MayStandAnywhere) {
  using T = TypeParam;
  std::mt19937_64 random(11);
  for (int round = 0; round < 400 && !this->HasFatalFailure(); ++round) {
    const std::size_t lengths[] = {40, 1024, 3000, 5000};
    const std::size_t count = 1 + random() % lengths[random() % 4];
    auto values = field<T>(count);
    const T fill = fills<T>()[random() % 6];
    const T other = fills<T>()[random() % 6];
    const std::size_t longest = std::size_t{1} << random() % 12;
    for (std::size_t i = random() % longest; i < count; i += random() % longest) {
      const std::size_t end = std::min(count, i + 1 + random() % longest);
      const T value = random() % 8 == 0 ? other : fill;
      for (; i < end; ++i) values[i] = value;
      ++i;
    }
    const std::uint32_t rows[] = {0, 3, 16, 100};
    Parameters parameters =
        grid_parameters(1e-3, static_cast<std::uint32_t>(1 + random() % 3), rows[random() % 4]);
    parameters.alone = random() % 2 == 0;
    const Bytes bytes = encoded(values, parameters);
    // -9999 may be on the grid where encodings are to be combined.
    std::vector<T> result(count);
    ASSERT_EQ(decode_into(bytes, result), Error::none);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_TRUE(std::isfinite(values[i]) ? within_bound(values[i], result[i], 1e-3)
                                           : same_bits(values[i], result[i]))
          << round;
    }
  }
}

template <class T>
Bytes summed(const std::vector<Bytes>& parts, const std::vector<std::size_t>& order,
             std::size_t count) {
  Bytes sum = parts[order[0]];
  for (std::size_t i = 1; i < order.size(); ++i) {
    sum = combined<T>(bounded::Operation::sum, count, sum, parts[order[i]]);
  }
  return sum;
}

TYPED_TEST(Fill, IsAddedUpAlikeInAnyOrder) {
  using T = TypeParam;
  const std::size_t count = 5000;
  for (const T fill : {std::numeric_limits<T>::quiet_NaN(), T(0x1p80)}) {
    std::vector<Bytes> parts;
    for (std::size_t rank = 0; rank < 4; ++rank) {
      auto values = field<T>(count);
      for (std::size_t i = 0; i < count; ++i) {
        if (is_land(i + rank % 2)) values[i] = fill;
      }
      parts.push_back(encoded(values, grid_parameters(1e-4, 4, 100)));
    }
    std::vector<std::size_t> order{0, 1, 2, 3};
    const auto first = decoded<T>(summed<T>(parts, order, count), count);
    ASSERT_EQ(first.size(), count);
    const Bytes sum = summed<T>(parts, order, count);
    // Other fill values add up to two of them, of which one is masked.
    const std::size_t allowed = parts[0].size() * (std::isnan(fill) ? 3 : 12) / 2;
    EXPECT_LT(sum.size(), allowed) << "the result's fill values are masked, too";
    for (std::size_t i = 0; i < count; ++i) {
      if (is_land(i) && is_land(i + 1)) {
        EXPECT_TRUE(same_bits(first[i], static_cast<T>(4) * fill)) << i;
      }
      if (is_land(i) != is_land(i + 1)) {
        EXPECT_TRUE(same_bits(first[i], static_cast<T>(2) * fill))
            << i << ", numbers are too small";
      }
      if (!is_land(i) && !is_land(i + 1)) {
        EXPECT_LE(std::abs(first[i]), 6) << i;
      }
    }
    while (std::next_permutation(order.begin(), order.end())) {
      const auto other = decoded<T>(summed<T>(parts, order, count), count);
      for (std::size_t i = 0; i < count; ++i) ASSERT_TRUE(same_bits(first[i], other[i])) << i;
    }
  }
}

}  // namespace
}  // namespace tightwire::codec
