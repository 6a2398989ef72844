#include <gtest/gtest.h>

#include "bounded/data.h"
#include "codec/candidate.h"
#include "codec/errors.h"

namespace tightwire::bench {
namespace {

template <class T>
constexpr codec::ElementType type_of = sizeof(T) == 4 ? codec::ElementType::float32
                                                      : codec::ElementType::float64;

struct Outcome {
  std::size_t size = 0;
  double largest_over_bound = 0;
  double constant = 0;
};

template <class T>
Outcome through_szx(const std::vector<T>& values, double bound) {
  const auto codec = szx_layout();
  codec::Parameters parameters;
  parameters.error_bound = bound;
  std::vector<std::byte> room(codec->max_encoded_size(type_of<T>, values.size()));
  const auto bytes = std::as_bytes(std::span(values));
  const std::size_t size = codec->encode(type_of<T>, bytes, parameters, room);
  EXPECT_LE(size, room.size());
  room.resize(size);
  std::vector<T> decoded(values.size());
  codec->decode(type_of<T>, room, std::as_writable_bytes(std::span(decoded)));
  const Errors errors = errors_of(type_of<T>, bytes, std::as_bytes(std::span(decoded)), bound);
  return {size, errors.largest_over_bound,
          codec->constant_blocks(type_of<T>, values.size(), room).value_or(1)};
}

template <class T>
void expect_bounds_hold() {
  for (int shape = 0; shape < static_cast<int>(codec::Shape::last); ++shape) {
    for (const std::size_t count : {0U, 1U, 127U, 128U, 129U, 5003U}) {
      for (const double bound : {1e-12, 1e-3, 0.25, 1e6}) {
        const auto values = codec::make_data<T>(static_cast<codec::Shape>(shape), count, bound, 7);
        EXPECT_LE(through_szx(values, bound).largest_over_bound, 1)
            << "shape " << shape << ", " << count << " values, bound " << bound;
      }
    }
  }
}

TEST(SzxLayout, KeepsItsBoundOnFloats) {
  expect_bounds_hold<float>();
}
TEST(SzxLayout, KeepsItsBoundOnDoubles) {
  expect_bounds_hold<double>();
}

// A bound that is a power of two leaves roundings no room but what the bit more gives.
TEST(SzxLayout, KeepsItsBoundWhereRoundingWouldBreakIt) {
  for (int exponent = -23; exponent < -10; ++exponent) {
    const double bound = std::exp2(exponent);
    auto values = codec::make_data<float>(codec::Shape::noise, 5000, 1, 11);
    for (float& value : values) value += 3;
    EXPECT_LE(through_szx(values, bound).largest_over_bound, 1) << exponent;
  }
}

TEST(SzxLayout, HasOneNumberForABlockWithinTheBound) {
  std::vector<float> values(1280);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 1.0F : 2.0F;
  const Outcome within = through_szx(values, 0.5);
  EXPECT_EQ(within.constant, 1);
  EXPECT_EQ(within.size, 2U + 10 * sizeof(float));  // ten blocks: two bytes of bits
  EXPECT_EQ(within.largest_over_bound, 1);
  EXPECT_EQ(through_szx(values, 0.49).constant, 0);
  values[300] = 5;
  EXPECT_EQ(through_szx(values, 0.5).constant, 0.9);
}

// Sign, exponent and the bits between the exponents of the radius and the bound: 14, or two bytes.
TEST(SzxLayout, CutsWhatTheBoundDoesNotNeed) {
  constexpr std::size_t blocks = 100;
  std::mt19937 random(5);
  std::uniform_real_distribution<float> unit(-1, 1);
  std::vector<float> values(blocks * 128);
  for (float& value : values) value = unit(random);
  constexpr std::size_t head = sizeof(float) + 1 + 128 / 4;
  const std::size_t most = 13 + blocks * (head + 2 * 128);
  const Outcome outcome = through_szx(values, std::ldexp(1.0, -6));
  EXPECT_EQ(outcome.constant, 0);
  EXPECT_LT(outcome.size, most);
  EXPECT_GT(outcome.size, blocks * (head + 128));
  EXPECT_GT(through_szx(values, std::ldexp(1.0, -12)).size, most);
}

TEST(SzxLayout, GivesBackWhatIsNoNumber) {
  auto values = codec::make_data<float>(codec::Shape::specials, 5000, 1e-3, 5);
  values[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_LE(through_szx(values, 1e-3).largest_over_bound, 1);
}

}  // namespace
}  // namespace tightwire::bench
