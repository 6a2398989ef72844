// Encodings of values of which several components take turns.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bounded/data.h"
#include "bounded/support.h"
#include "codec/bounded/layout.h"
#include "codec/chunked/chunked.h"
#include "codec/exact/layout.h"
#include "codec/simd/kernels.h"
#include "random_cases.h"

namespace tightwire::codec {
namespace {

constexpr std::size_t structure_at = 2;  // in the header of `bounded`

Parameters apart(std::size_t components, double bound, std::uint32_t row_length = 0) {
  Parameters parameters = alone_parameters(bound, row_length);
  parameters.components = static_cast<std::uint32_t>(components);
  return parameters;
}

// Smooth ones of very unlike size, far from each other.
template <class T>
std::vector<T> component(std::size_t k, std::size_t count) {
  std::mt19937_64 random(k + 1);
  std::normal_distribution<double> normal;
  std::vector<T> values(count);
  const double size = std::exp2(3.0 * static_cast<double>(k % 4));
  for (std::size_t i = 0; i < count; ++i) {
    const double wave = std::sin(0.01 * static_cast<double>(i) + static_cast<double>(k));
    values[i] = static_cast<T>(size * (wave + 5 + 0.01 * normal(random)));
  }
  return values;
}

template <class T>
std::vector<T> interleaved(std::size_t components, std::size_t count) {
  std::vector<std::vector<T>> parts;
  for (std::size_t k = 0; k < components; ++k) {
    parts.push_back(component<T>(k, count / components + 1));
  }
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = parts[i % components][i / components];
  return values;
}

// Of data that is hard; with every kernel, which must give the same bytes.
template <class T>
void keeps_the_bound(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const double bound = std::exp2(static_cast<double>(random() % 40) - 20);
  const std::size_t components = 1 + random() % bounded::most_components;
  const std::size_t most[] = {100, 3000, 3000, 70000};
  const std::size_t count = random() % most[random() % 4];
  const std::uint32_t rows[] = {0, 1, 3, 20, 100};
  const auto row = static_cast<std::uint32_t>(rows[random() % 5] * components);
  const auto shape = static_cast<Shape>(random() % static_cast<unsigned>(Shape::last));
  const auto values = make_data<T>(shape, count, bound, random());
  const Parameters parameters = apart(components, bound, row);
  const Kernels& before = active_kernels();
  Bytes expected;
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    const Bytes bytes = encoded(values, parameters);
    EXPECT_FALSE(bytes.empty()) << "max_encoded_size() suffices, seed " << seed;
    EXPECT_TRUE(all_within(values, decoded<T>(bytes, count), bound)) << seed;
    if (expected.empty()) expected = bytes;
    EXPECT_EQ(bytes, expected) << kernels->name << ", seed " << seed;
  }
  use_kernels(before);
}

TEST(Components, OfFloatsKeepTheBoundWithEveryKernel) {
  const auto cases = random_cases<std::uint64_t>(600);
  for (std::uint64_t seed = 0; seed < cases && !testing::Test::HasFailure(); ++seed) {
    keeps_the_bound<float>(seed);
  }
}

TEST(Components, OfDoublesKeepTheBoundWithEveryKernel) {
  const auto cases = random_cases<std::uint64_t>(600);
  for (std::uint64_t seed = 0; seed < cases && !testing::Test::HasFailure(); ++seed) {
    keeps_the_bound<double>(seed);
  }
}

// Few values, values far apart, long runs, and any bits.
RC_GTEST_PROP(ComponentsProperty, ReturnEveryBitOfEveryType, ()) {
  const auto type = static_cast<ElementType>(*rc::gen::inRange(0, 7));
  const auto count = *rc::gen::inRange<std::size_t>(0, 9000);
  const auto seed = *rc::gen::inRange<std::size_t>(0, 1 << 20);
  const auto width = *rc::gen::inRange(1, 65);
  const auto run = *rc::gen::inRange<std::size_t>(1, 50);
  Parameters parameters;
  parameters.components = *rc::gen::inRange<std::uint32_t>(0, 18);
  parameters.row_length =
      parameters.components * *rc::gen::element<std::uint32_t>(0, 3, 16, 100, 512);
  parameters.second_stage = *rc::gen::element(SecondStage::none, SecondStage::entropy);
  std::vector<std::uint64_t> words(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t x = (i / run + seed + i % 3) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    words[i] = x >> (64 - width);
  }
  const Bytes values = bytes_of(words);
  const Codec& codec = *find(Id::exact);
  Bytes out(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, parameters, out);
  RC_ASSERT(result.ok());
  out.resize(result.size);
  Bytes back(values.size());
  RC_ASSERT(codec.decode(type, out, back).ok());
  RC_ASSERT(back == values);
}

TEST(Components, InChunksThatBeginInTheMiddleOfATurn) {
  const Codec& codec = bounded_under_test();
  const auto values = interleaved<float>(3, 100'001);
  chunked::Options options;
  options.values_per_chunk = 4096;
  Bytes out(chunked::max_encoded_size(codec, ElementType::float32, values.size(), 4096));
  const Result result = chunked::encode(
      codec, ElementType::float32, std::as_bytes(std::span(values)), apart(3, 1e-3), options, out);
  ASSERT_TRUE(result.ok());
  out.resize(result.size);
  std::vector<float> back(values.size());
  ASSERT_TRUE(
      chunked::decode(ElementType::float32, out, {}, std::as_writable_bytes(std::span(back))).ok());
  EXPECT_TRUE(all_within(values, back, 1e-3));
}

// As small as each by itself, but for 5 %.
TEST(Components, TakeWhatTheyTakeByThemselves) {
  for (const std::size_t components : {2, 3, 4, 6, 7, 9, 12, 16}) {
    constexpr std::size_t each = 20000;
    std::size_t alone = 0;
    for (std::size_t k = 0; k < components; ++k) {
      alone += encoded(component<float>(k, each), alone_parameters(1e-2)).size();
    }
    const auto values = interleaved<float>(components, each * components);
    const std::size_t together = encoded(values, apart(components, 1e-2)).size();
    EXPECT_LT(0.95 * static_cast<double>(together), static_cast<double>(alone)) << components;
    EXPECT_LT(1.3 * static_cast<double>(together),
              static_cast<double>(encoded(values, alone_parameters(1e-2)).size()))
        << components;
  }
}

TEST(Components, OfExactTakeLess) {
  const auto values = interleaved<double>(3, 60000);
  const auto size = [&](std::uint32_t components, SecondStage stage) {
    Parameters parameters;
    parameters.components = components;
    parameters.second_stage = stage;
    Bytes out(find(Id::exact)->max_encoded_size(ElementType::float64, values.size()));
    return find(Id::exact)->encode(ElementType::float64, bytes_of(values), parameters, out).size;
  };
  const auto one = static_cast<double>(size(1, SecondStage::none));
  EXPECT_LT(1.1 * static_cast<double>(size(3, SecondStage::none)), one);
  EXPECT_EQ(size(1, SecondStage::entropy), size(3, SecondStage::entropy)) << "it finds them";
}

TEST(Components, HaveTheRowsThatAreStated) {
  constexpr std::size_t columns = 200;
  std::mt19937_64 random(3);
  std::vector<float> profile(3 * columns);
  for (float& value : profile) value = static_cast<float>(random() % 1000);
  std::vector<float> values(300 * profile.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = profile[i % profile.size()] + static_cast<float>(i / profile.size()) / 8;
  }
  const Bytes with_rows = encoded(values, apart(3, 1e-2, 3 * columns));
  EXPECT_LT(3 * with_rows.size(), encoded(values, apart(3, 1e-2)).size());
  std::uint32_t row_length = 0;
  std::memcpy(&row_length, with_rows.data() + 4, sizeof row_length);
  EXPECT_EQ(row_length, columns) << "of each component";
  const Bytes other_rows = encoded(values, apart(3, 1e-2, 3 * columns + 1));
  std::memcpy(&row_length, other_rows.data() + 4, sizeof row_length);
  EXPECT_EQ(row_length, 0U) << "they would begin with another component each time";
}

TEST(Components, OfRowsThatOnlyTogetherAreTooLong) {
  const auto values = interleaved<float>(4, 200'000);
  const Bytes bytes = encoded(values, apart(4, 1e-2, 4 * 8000));
  std::uint32_t row_length = 0;
  std::memcpy(&row_length, bytes.data() + 4, sizeof row_length);
  EXPECT_EQ(row_length, 8000U);
  EXPECT_TRUE(all_within(values, decoded<float>(bytes, values.size()), 1e-2));
}

TEST(Components, AreLeftAloneWhereEncodingsAreCombined) {
  const auto values = interleaved<float>(3, 30000);
  Parameters parameters = grid_parameters(1e-3);
  const Bytes one = encoded(values, parameters);
  parameters.components = 3;
  EXPECT_EQ(encoded(values, parameters), one);
}

TEST(Components, OfTooFewValuesAndOfWrongNumbersAreOne) {
  const auto values = interleaved<float>(3, 95);
  EXPECT_EQ(encoded(values, apart(3, 1e-3)), encoded(values, apart(1, 1e-3)));
  const auto more = interleaved<float>(3, 30000);
  EXPECT_EQ(encoded(more, apart(17, 1e-3)), encoded(more, apart(1, 1e-3)));
  EXPECT_EQ(encoded(more, apart(0, 1e-3)), encoded(more, apart(1, 1e-3)));
}

TEST(Components, StandInTheHeader) {
  for (const std::size_t components : {1, 2, 3, 16}) {
    const Bytes bytes = encoded(interleaved<double>(components, 5000), apart(components, 1e-3));
    EXPECT_EQ(bounded::components_of(bytes[structure_at]), components);
  }
}

TEST(Components, WithRunsOfTilesAndFillValues) {
  std::vector<float> values(3 * 200'000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool quiet = i / 90'000 % 2 == 0;
    values[i] = quiet ? (i % 3 == 2 ? 1e20F : 7.0F) : static_cast<float>(i % 1000) * 0.25F;
  }
  const Bytes bytes = encoded(values, apart(3, 1e-2));
  EXPECT_TRUE(all_within(values, decoded<float>(bytes, values.size()), 1e-2));
  const std::vector<float> constant(1 << 20, 42.4242F);
  EXPECT_LT(encoded(constant, apart(3, 1e-2)).size(), 300U);
}

TEST(Components, RefuseEveryTruncationAndExtension) {
  const auto values = interleaved<float>(3, 8000);
  Bytes bytes = encoded(values, apart(3, 1e-2));
  std::vector<float> result(values.size());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_EQ(decode_into(part, result), Error::damaged);
  }
  bytes.push_back(std::byte{0});
  EXPECT_EQ(decode_into(bytes, result), Error::damaged);
}

TEST(Components, AreDamageWhereThereCanBeNone) {
  const auto values = interleaved<float>(3, 8000);
  std::vector<float> result(values.size());
  Bytes derived = encoded(values, grid_parameters(1e-2));
  ASSERT_EQ(decode_into(derived, result), Error::none);
  derived[structure_at] |= std::byte{0x20};
  EXPECT_EQ(decode_into(derived, result), Error::damaged);
  const Codec& exact = *find(Id::exact);
  const Bytes noise = bytes_of(make_data<float>(Shape::any_bits, 5000, 1, 1));
  Bytes stored(exact.max_encoded_size(ElementType::float32, 5000));
  ASSERT_EQ(exact.encode(ElementType::float32, noise, {}, stored).size, stored.size());
  Bytes back(noise.size());
  ASSERT_TRUE(exact.decode(ElementType::float32, stored, back).ok());
  stored[3] |= std::byte{0x20};
  EXPECT_EQ(exact.decode(ElementType::float32, stored, back).error, Error::damaged);
}

TEST(Components, OfFlippedBytesDecodeAlikeOrNotAtAll) {
  const Kernels& before = active_kernels();
  std::mt19937_64 random(9);
  for (int round = 0; round < random_cases(1500); ++round) {
    const std::size_t components = 2 + random() % 15;
    Bytes bytes =
        encoded(interleaved<double>(components, 500 + random() % 6000), apart(components, 1e-2));
    const std::size_t at = 28 + random() % (bytes.size() - 28);
    bytes[at] ^= std::byte(1 << random() % 8);
    std::uint64_t count = 0;
    std::memcpy(&count, bytes.data() + 12, sizeof count);
    std::vector<double> expected;
    for (const Kernels* kernels : all_kernels()) {
      if (!runs_here(*kernels)) continue;
      use_kernels(*kernels);
      const auto result = decoded<double>(bytes, count);
      if (kernels == all_kernels().data()[0]) expected = result;
      if (expected.empty() && !result.empty()) expected = result;
      ASSERT_TRUE(same_bits(result, expected)) << kernels->name << ", round " << round;
    }
  }
  use_kernels(before);
}

}  // namespace
}  // namespace tightwire::codec
