// What is found out of a message before it is encoded: its range, and a sample.
#include <gtest/gtest.h>

#include <memory>

#include "codec/fill/extent.h"
#include "codec/fill/find.h"
#include "device/kernels/range.h"
#include "device/kernels/sample.h"
#include "fields.h"
#include "lanes_in_turn.h"

namespace tightwire::device {
namespace {

double value_of(std::uint64_t word, float) {
  const auto bits = static_cast<std::uint32_t>(word);
  return bits_as<float>(bits >> 31 != 0 ? bits & 0x7fffffff : ~bits);
}
double value_of(std::uint64_t word, double) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return bits_as<double>((word & sign) != 0 ? word & ~sign : ~word);
}

constexpr OrderedRange all{OrderedRange::lowest, OrderedRange::highest};

template <class T>
OrderedRange range_of(HostLanes lanes, const std::vector<T>& values,
                      const OrderedRange& outer = all) {
  OrderedRange range;
  RangeMemory memory;
  for (std::size_t first = 0; first < values.size(); first += Extent<T>::values) {
    const std::size_t count = std::min<std::size_t>(Extent<T>::values, values.size() - first);
    add_range(lanes, values.data() + first, static_cast<unsigned>(count), outer, memory, range);
  }
  return range;
}

template <class T>
class DeviceRange : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceRange, Types);

TYPED_TEST(DeviceRange, IsThatOfTheProcessor) {
  auto tried = fields<TypeParam>();
  tried.push_back({"negative", {-3, -2, -7, -0.5}});
  tried.push_back(
      {"largest",
       {std::numeric_limits<TypeParam>::max(), 0, std::numeric_limits<TypeParam>::lowest()}});
  for (const Field<TypeParam>& field : tried) {
    const codec::Extent extent = codec::finite_extent<TypeParam>(bytes_of(field.values));
    for (const Order order : orders) {
      const OrderedRange range = range_of(HostLanes(order), field.values);
      ASSERT_EQ(range.least <= range.most, extent.smallest <= extent.largest) << field.name;
      if (range.least > range.most) continue;
      EXPECT_EQ(value_of(range.least, TypeParam{}), extent.smallest) << field.name;
      EXPECT_EQ(value_of(range.most, TypeParam{}), extent.largest) << field.name;
    }
  }
}

TYPED_TEST(DeviceRange, IsAlsoThatOfTheValuesInsideOfAnother) {
  const TypeParam nan = std::numeric_limits<TypeParam>::quiet_NaN();
  const std::vector<TypeParam> values{5, -2, 9, nan, 9, 0, -7, -7, -2};
  for (const Order order : orders) {
    OrderedRange range = all;
    std::vector<std::pair<double, double>> found;
    for (range = range_of(HostLanes(order), values, range); range.least <= range.most;
         range = range_of(HostLanes(order), values, range)) {
      found.emplace_back(value_of(range.least, TypeParam{}), value_of(range.most, TypeParam{}));
    }
    const std::vector<std::pair<double, double>> expected{{-7, 9}, {-2, 5}, {0, 0}};
    EXPECT_EQ(found, expected);
  }
}

// The smallest is where only the last of the partial ranges has it, and then half of them, and so
// on.
TYPED_TEST(DeviceRange, NeedsItsBarriers) {
  std::vector<TypeParam> values(RangeMemory::parts);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = -static_cast<TypeParam>(i);
  values.back() = 1;
  const auto found = [&](LanesInTurn&& lanes) {
    OrderedRange range;
    RangeMemory memory;
    const unsigned barriers = lanes.run([&](LanesInTurn::Lane& lane) {
      add_range(lane, values.data(), static_cast<unsigned>(values.size()), all, memory, range);
    });
    return std::tuple(range.least, range.most, barriers);
  };
  const auto alone = found(LanesInTurn(1, Order::forward));
  unsigned missed = 0;
  for (const Order order : orders) EXPECT_EQ(found(LanesInTurn(7, order)), alone);
  const unsigned barriers = std::get<2>(alone);
  for (unsigned without = 0; without < barriers; ++without) {
    missed += found(LanesInTurn(7, Order::forward, without)) != alone ||
              found(LanesInTurn(7, Order::backward, without)) != alone;
  }
  // The last one is for who comes next, and before it one lane works alone.
  EXPECT_GE(missed + 2, barriers);
}

TEST(DeviceSample, HasPiecesFromTheFirstToTheLastValue) {
  std::vector<float> values(1000);
  std::iota(values.begin(), values.end(), 0.0f);
  const Pieces pieces{values.size(), 4, 10};
  for (const Order order : orders) {
    HostLanes lanes(order);
    std::vector<float> out(40);
    for (std::uint32_t i = 0; i < 4; ++i) take_piece(lanes, values.data(), pieces, i, &out[10 * i]);
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(out[i], static_cast<float>(330 * (i / 10) + i % 10));
    }
  }
}

TEST(DeviceSample, StaysInsideOfAnyMessage) {
  for (const std::uint64_t count : {16ULL, 17ULL, 5000ULL, 1ULL << 62}) {
    for (const std::uint32_t number : {1U, 2U, 3U, 1000U}) {
      const Pieces pieces{count, number, 16};
      EXPECT_EQ(pieces.first_of(0), 0U);
      EXPECT_EQ(pieces.first_of(number - 1), number == 1 ? 0 : count - 16);
      for (std::uint32_t i = 1; i < number; ++i) {
        EXPECT_LE(pieces.first_of(i - 1), pieces.first_of(i));
      }
    }
  }
}

}  // namespace
}  // namespace tightwire::device
