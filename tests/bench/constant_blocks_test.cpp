#include "codec/constant_blocks.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "bounded/data.h"
#include "codec/bounded/layout.h"

namespace tightwire::bench {
namespace {

template <class T>
constexpr codec::ElementType type_of = sizeof(T) == 4 ? codec::ElementType::float32
                                                      : codec::ElementType::float64;

template <class T>
std::vector<std::byte> encoded(const std::vector<T>& values, const codec::Parameters& parameters) {
  const codec::Codec& codec = *codec::find(codec::Id::bounded);
  std::vector<std::byte> bytes(codec.max_encoded_size(type_of<T>, values.size()));
  const auto result = codec.encode(type_of<T>, std::as_bytes(std::span(values)), parameters, bytes);
  EXPECT_TRUE(result.ok());
  bytes.resize(result.size);
  return bytes;
}

std::optional<double> share(const std::vector<float>& values, double bound) {
  codec::Parameters parameters;
  parameters.error_bound = bound;
  return constant_blocks(type_of<float>, encoded(values, parameters));
}

TEST(ConstantBlocks, AreAllOfAConstantAndNoneOfNoise) {
  EXPECT_EQ(share(std::vector<float>(5000, 0.0F), 1e-3), 1);
  const auto noise = codec::make_data<float>(codec::Shape::noise, 5000, 1, 3);
  EXPECT_EQ(share(noise, 1e-6), 0);
}

// Nothing but the block of a spike takes bits, and the next one: it has to come back down.
TEST(ConstantBlocks, AreThoseWithoutASpike) {
  std::vector<float> values(100 * codec::bounded::block_values, 0.0F);
  values[50 * codec::bounded::block_values + 7] = 1;
  EXPECT_EQ(share(values, 1e-3), 0.99);
  values[80 * codec::bounded::block_values + 15] = 1;
  EXPECT_EQ(share(values, 1e-3), 0.97);
}

TEST(ConstantBlocks, OfNothingHaveNoShare) {
  EXPECT_EQ(share({}, 1e-3), std::nullopt);
}

TEST(ConstantBlocks, BehindTheEntropyCoderAreNone) {
  codec::Parameters parameters;
  parameters.error_bound = 1e-3;
  parameters.alone = true;
  parameters.second_stage = codec::SecondStage::entropy;
  const auto values = codec::make_data<float>(codec::Shape::noise, 50000, 1e-2, 3);
  const auto bytes = encoded(values, parameters);
  codec::bounded::Header header;
  ASSERT_EQ(codec::bounded::read_header(bytes, header), codec::Error::none);
  ASSERT_EQ(header.grid, codec::bounded::GridKind::coded);
  EXPECT_EQ(constant_blocks(type_of<float>, bytes), std::nullopt);
}

TEST(ConstantBlocks, AreNotCountedInBytesThatAreDamaged) {
  codec::Parameters parameters;
  parameters.error_bound = 1e-3;
  auto bytes = encoded(codec::make_data<float>(codec::Shape::noise, 5000, 1e-3, 3), parameters);
  bytes.push_back(std::byte{0});
  EXPECT_THROW(static_cast<void>(constant_blocks(type_of<float>, bytes)), std::runtime_error);
  bytes.resize(bytes.size() - 2);
  EXPECT_THROW(static_cast<void>(constant_blocks(type_of<float>, bytes)), std::runtime_error);
  EXPECT_THROW(static_cast<void>(constant_blocks(type_of<float>, {})), std::runtime_error);
}

// Every kind of tile, with and without rows and components: the steps end where the encoding does.
template <class T>
void expect_all_are_passed(codec::Shape shape, std::size_t count, std::uint64_t seed) {
  for (const bool alone : {false, true}) {
    for (const std::uint32_t components : {1U, 3U}) {
      codec::Parameters parameters;
      parameters.error_bound = 1e-3;
      parameters.alone = alone;
      parameters.components = components;
      parameters.row_length = 96;
      const auto values = codec::make_data<T>(shape, count, 1e-3, seed);
      const auto counted = constant_blocks(type_of<T>, encoded(values, parameters));
      if (!counted) continue;  // without a grid
      EXPECT_GE(*counted, 0);
      EXPECT_LE(*counted, 1);
    }
  }
}

TEST(ConstantBlocks, EndWhereTheEncodingDoes) {
  for (int shape = 0; shape < static_cast<int>(codec::Shape::last); ++shape) {
    for (const std::size_t count : {1U, 17U, 1024U, 5003U, 40000U}) {
      SCOPED_TRACE(testing::Message() << "shape " << shape << ", " << count << " values");
      expect_all_are_passed<float>(static_cast<codec::Shape>(shape), count, count);
      expect_all_are_passed<double>(static_cast<codec::Shape>(shape), count, count + 1);
    }
  }
}

}  // namespace
}  // namespace tightwire::bench
