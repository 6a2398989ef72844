// The second stage of `bounded`: within the bound as without it, and never longer.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/bounded/layout.h"
#include "codec/instances.h"

namespace tightwire::codec {
namespace {

Parameters coded_parameters(double error_bound, std::uint32_t row_length = 0) {
  Parameters parameters = alone_parameters(error_bound, row_length);
  parameters.second_stage = SecondStage::entropy;
  return parameters;
}

bool is_coded(const Bytes& bytes) {
  bounded::Header header;
  return bounded::read_header(bytes, header) == Error::none &&
         header.grid == bounded::GridKind::coded;
}

template <class T>
bool is_right(const std::vector<T>& values, const Bytes& bytes, double bound) {
  std::vector<T> result(values.size());
  return decode_into(bytes, result) == Error::none && all_within(values, result, bound);
}

// Rows of 200, rough enough to need some bits.
template <class T>
std::vector<T> plane(std::size_t count) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> rough(0, 0.002);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i % 200) / 13;
    const double y = static_cast<double>(i / 200) / 17;
    values[i] = static_cast<T>(std::sin(x) * std::cos(y) + rough(random));
  }
  return values;
}

template <class T>
double gain(const std::vector<T>& values, double bound, std::uint32_t row_length = 0) {
  const Bytes coded = encoded(values, coded_parameters(bound, row_length));
  EXPECT_TRUE(is_coded(coded));
  EXPECT_TRUE(is_right(values, coded, bound));
  const Bytes tiles = encoded(values, alone_parameters(bound, row_length));
  return static_cast<double>(tiles.size()) / static_cast<double>(coded.size());
}

template <class T>
class CodedGrid : public testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(CodedGrid, FloatTypes);

TYPED_TEST(CodedGrid, TakesLessThanTiles) {
  EXPECT_GT(gain(plane<TypeParam>(100000), 1e-3, 200), 1.1);
  EXPECT_GT(gain(plane<TypeParam>(100000), 1e-4, 200), 1.05);
}

// 200 planes of 9 rows of 40. Rows are like each other, planes the same but for one value in 50.
template <class T>
std::vector<T> still_planes() {
  constexpr std::size_t plane = 360;
  std::mt19937_64 random(7);
  std::vector<T> values(200 * plane);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < 40) {
      values[i] = static_cast<T>(random() % 4096);
    } else if (i < plane) {
      values[i] = values[i - 40] + static_cast<T>(random() % 3);
    } else {
      values[i] = values[i - plane] + static_cast<T>(random() % 50 == 0);
    }
  }
  return values;
}

// Differences along rows as well would leave each change twice.
TYPED_TEST(CodedGrid, TheFirstPlaneDoesNotSpeakAgainstPlanes) {
  const auto values = still_planes<TypeParam>();
  Parameters parameters = coded_parameters(0.4, 40);
  parameters.plane_length = 360;
  const Bytes bytes = encoded(values, parameters);
  EXPECT_TRUE(is_coded(bytes));
  EXPECT_TRUE(is_right(values, bytes, 0.4));
  EXPECT_LT(bytes.size(), 3000U);
}

// However short a message is: a coder that has no more room than tiles took gives up before its
// end.
TYPED_TEST(CodedGrid, IsExactWhereThatIsSmaller) {
  std::mt19937_64 random(21);
  std::size_t exact_ones = 0;
  for (int i = 0; i < 400; ++i) {
    const auto different = static_cast<unsigned>(1 + random() % 4000);
    std::vector<TypeParam> values(100 + random() % 800);
    for (TypeParam& value : values) {
      value = static_cast<TypeParam>(static_cast<float>(random() % different) * 0.1F);
    }
    const Parameters parameters = coded_parameters(1e-6 * double(1 + random() % 9), 0);
    const Bytes bytes = encoded(values, parameters);
    Parameters without = parameters;
    without.least_ratio = double(values.size() * sizeof(TypeParam)) / double(bytes.size());
    Bytes exact(exact_codec().max_encoded_size(type_of<TypeParam>, values.size()));
    const Result result =
        exact_codec().encode(type_of<TypeParam>, std::as_bytes(std::span(values)), without, exact);
    exact_ones += values == decoded<TypeParam>(bytes, values.size()) ? 1 : 0;
    if (!result.ok() || without.least_ratio >= 3) continue;
    EXPECT_LE(bytes.size(), bounded::header_size + result.size)
        << values.size() << " values, message " << i;
  }
  EXPECT_GT(exact_ones, 0U);
}

TYPED_TEST(CodedGrid, FillValuesTakeNothingButTheirPlaces) {
  auto values = plane<TypeParam>(100000);
  const Parameters parameters = coded_parameters(1e-3, 200);
  const auto whole = static_cast<double>(encoded(values, parameters).size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 200 < 80) values[i] = TypeParam(1e20);
  }
  const Bytes bytes = encoded(values, parameters);
  EXPECT_TRUE(is_coded(bytes));
  EXPECT_TRUE(is_right(values, bytes, 1e-3));
  // Two changes in a row, of a byte each, and a rough start behind each.
  EXPECT_LT(static_cast<double>(bytes.size()), whole * 0.6 + 500 * 4);
}

TYPED_TEST(CodedGrid, ValuesBeyondTheGridAreExact) {
  auto values = plane<TypeParam>(50000);
  const std::vector<TypeParam> odd{std::numeric_limits<TypeParam>::infinity(),
                                   -std::numeric_limits<TypeParam>::quiet_NaN(),
                                   std::numeric_limits<TypeParam>::max()};
  for (std::size_t i = 0; i < 60; ++i) values[i * i * 13 + 7] = odd[i % 3];
  const Bytes bytes = encoded(values, coded_parameters(1e-3, 200));
  EXPECT_TRUE(is_coded(bytes));
  std::vector<TypeParam> result(values.size());
  ASSERT_EQ(decode_into(bytes, result), Error::none);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_TRUE(same_bits(result[i * i * 13 + 7], odd[i % 3])) << i;
  }
  EXPECT_TRUE(is_right(values, bytes, 1e-3));
}

TYPED_TEST(CodedGrid, IsForEncodingsAloneOnly) {
  Parameters parameters = coded_parameters(1e-3, 200);
  parameters.alone = false;
  EXPECT_FALSE(is_coded(encoded(plane<TypeParam>(50000), parameters)));
  parameters.alone = true;
  parameters.terms = 2;
  EXPECT_FALSE(is_coded(encoded(plane<TypeParam>(50000), parameters)));
}

TYPED_TEST(CodedGrid, IsNotTakenWhereTilesAreSmaller) {
  std::vector<TypeParam> values(100000, TypeParam{1.25});
  values[77] = 3;
  const Bytes bytes = encoded(values, coded_parameters(1e-3));
  EXPECT_FALSE(is_coded(bytes));
  EXPECT_EQ(bytes, encoded(values, alone_parameters(1e-3)));
}

TYPED_TEST(CodedGrid, RefusesEveryTruncationAndEveryOtherCount) {
  auto values = plane<TypeParam>(8000);
  std::fill(values.begin() + 1000, values.begin() + 1040, TypeParam(1e20));
  const Bytes bytes = encoded(values, coded_parameters(1e-3, 200));
  ASSERT_TRUE(is_coded(bytes));
  std::vector<TypeParam> result(values.size());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_EQ(decode_into(part, result), Error::damaged) << size;
  }
  for (const std::size_t place : {12, 28, 36}) {  // count, size of the tiles, residuals
    Bytes other = bytes;
    other[place] ^= std::byte{1};
    EXPECT_EQ(decode_into(other, result), Error::damaged) << place;
  }
  Bytes longer = bytes;
  longer.push_back({});
  EXPECT_EQ(decode_into(longer, result), Error::damaged);
}

template <class T>
void check_any_shape() {
  const auto shape = static_cast<Shape>(*rc::gen::inRange(0, static_cast<int>(Shape::last)));
  const auto count = *rc::gen::inRange<std::size_t>(0, 40000);
  const auto seed = *rc::gen::inRange<std::uint64_t>(0, 1 << 20);
  const double bound = std::exp2(*rc::gen::inRange(-20, 20));
  const auto row = *rc::gen::element<std::uint32_t>(0, 3, 16, 100, 1500, 8192);
  const auto values = make_data<T>(shape, count, bound, seed);
  const Bytes bytes = encoded(values, coded_parameters(bound, row));
  RC_ASSERT(is_right(values, bytes, bound));
  RC_ASSERT(bytes.size() <= encoded(values, alone_parameters(bound, row)).size());
}

RC_GTEST_PROP(CodedGridProperty, FloatsAreWithinTheBoundAndNeverLonger, ()) {
  check_any_shape<float>();
}

RC_GTEST_PROP(CodedGridProperty, DoublesAreWithinTheBoundAndNeverLonger, ()) {
  check_any_shape<double>();
}

}  // namespace
}  // namespace tightwire::codec
