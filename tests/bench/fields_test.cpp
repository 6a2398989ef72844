#include "fields/fields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace tightwire::fields {
namespace {

constexpr std::size_t size = 1 << 18;

template <class T>
Field field_with(const std::vector<T>& values) {
  Field field;
  field.type = sizeof(T) == 4 ? codec::ElementType::float32 : codec::ElementType::float64;
  field.shape = {values.size()};
  field.bytes.resize(values.size() * sizeof(T));
  std::memcpy(field.bytes.data(), values.data(), field.bytes.size());
  return field;
}

// 1000 values from 280 to 300, and `fills` of `fill`.
Field temperatures(std::size_t fills, float fill) {
  std::vector<float> values;
  for (int i = 0; i < 1000; ++i) values.push_back(280 + 20 * static_cast<float>(i) / 999);
  values.insert(values.end(), fills, fill);
  return field_with(values);
}

Field made(const char* name) {
  return find(name)->make(size);
}

template <class Predicate>
double share(const Field& field, Predicate predicate) {
  const auto values = field.values<float>();
  return static_cast<double>(std::ranges::count_if(values, predicate)) /
         static_cast<double>(values.size());
}

TEST(ValueRange, LeavesOutWhatIsNoNumber) {
  EXPECT_DOUBLE_EQ(value_range(temperatures(5, std::numeric_limits<float>::quiet_NaN())), 20);
  EXPECT_DOUBLE_EQ(value_range(temperatures(5, std::numeric_limits<float>::infinity())), 20);
  EXPECT_DOUBLE_EQ(value_range(temperatures(5, -std::numeric_limits<float>::infinity())), 20);
}

TEST(ValueRange, LeavesOutFillValues) {
  EXPECT_DOUBLE_EQ(value_range(temperatures(300, 1e20F)), 20);
  EXPECT_DOUBLE_EQ(value_range(temperatures(300, -9999)), 20);
}

TEST(ValueRange, KeepsARareExtreme) {
  EXPECT_DOUBLE_EQ(value_range(temperatures(1, 1000)), 720);
}

TEST(ValueRange, KeepsWhatOccursOftenWithinReach) {
  EXPECT_DOUBLE_EQ(value_range(temperatures(300, 310)), 30);
}

TEST(ValueRange, OfAConstantFieldIsItsSize) {
  EXPECT_DOUBLE_EQ(value_range(field_with(std::vector<double>(100, -3.0))), 3);
}

TEST(ValueRange, OfNoNumbersIsZero) {
  const std::vector<float> none(100, std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(value_range(field_with(none)), 0);
}

TEST(HardKinds, HaveTheSizeTheyWereAskedFor) {
  for (const Kind& kind : hard_kinds()) {
    const Field field = kind.make(size);
    EXPECT_EQ(field.bytes.size(), size) << kind.name;
    EXPECT_EQ(field.name, kind.name);
    EXPECT_EQ(find(kind.name), &kind);
  }
}

TEST(HardKinds, LeapfrogLeavesNegativeZerosAndSubnormals) {
  const Field field = made("leapfrog");
  EXPECT_GT(share(field, [](float x) { return x == 0 && std::signbit(x); }), 0.2);
  EXPECT_GT(share(field, [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }), 0.01);
  const Field flushed = made("leapfrog_flushed");
  EXPECT_EQ(share(flushed, [](float x) { return x == 0 && std::signbit(x); }), 0);
  EXPECT_EQ(share(flushed, [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }), 0);
  const auto values = field.values<float>();
  EXPECT_TRUE(std::ranges::equal(values, flushed.values<float>(), [](float a, float b) {
    return std::abs(a - b) < std::numeric_limits<float>::min();
  }));
}

TEST(HardKinds, MasksCoverLand) {
  EXPECT_NEAR(share(made("masked_nan"), [](float x) { return std::isnan(x); }), 0.36, 0.01);
  EXPECT_NEAR(share(made("masked_1e20"), [](float x) { return x == 1e20F; }), 0.36, 0.01);
  EXPECT_NEAR(share(made("masked_-9999"), [](float x) { return x == -9999; }), 0.36, 0.01);
  EXPECT_EQ(value_range(made("masked_nan")), value_range(made("masked_1e20")));
}

TEST(HardKinds, ComponentsApartAreTheSameValues) {
  const Field beside = made("interleaved");
  const Field apart = made("interleaved_apart");
  const auto values = beside.values<float>();
  std::vector<float> sorted;
  for (std::size_t first = 0; first < 3; ++first) {
    for (std::size_t i = first; i < values.size(); i += 3) sorted.push_back(values[i]);
  }
  EXPECT_TRUE(std::ranges::equal(apart.values<float>(), sorted));
}

TEST(HardKinds, RecordsHoldIntegersAsBits) {
  const Field field = made("records");
  const auto values = field.values<double>();
  EXPECT_EQ(values[0], 12);
  EXPECT_EQ(values[12], 12);
  EXPECT_EQ(std::bit_cast<std::int64_t>(values[9]), 1);
  EXPECT_EQ(std::fpclassify(values[7]), FP_SUBNORMAL);
}

class FieldFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::size_t bytes) {
    const auto file = folder_ / name;
    std::ofstream(file) << std::string(bytes, 'x');
    return file;
  }
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "fields_test";
};

TEST_F(FieldFile, IsWhatItsNameSays) {
  const Field field = read_file(write("sea.3x5x2.f64", 240));
  EXPECT_EQ(field.name, "sea");
  EXPECT_EQ(field.type, codec::ElementType::float64);
  EXPECT_EQ(field.shape, (std::vector<std::size_t>{3, 5, 2}));
  EXPECT_EQ(field.bytes.size(), 240);
}

TEST_F(FieldFile, OfAnotherSizeIsRefused) {
  EXPECT_THROW((void)read_file(write("sea.3x5.f32", 59)), std::runtime_error);
  EXPECT_THROW((void)read_file(write("sea.3x5.f32", 61)), std::runtime_error);
}

TEST_F(FieldFile, OfAnotherNameIsRefused) {
  EXPECT_THROW((void)read_file(write("sea.f32", 60)), std::runtime_error);
  EXPECT_THROW((void)read_file(write("sea.15.i16", 30)), std::runtime_error);
}

}  // namespace
}  // namespace tightwire::fields
