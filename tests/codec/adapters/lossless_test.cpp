// Every codec that is not lossy gives back every byte, and nothing else.
#include <gtest/gtest.h>

#include "adapters/data.h"

namespace tightwire::codec {
namespace {

using namespace testing;

class Lossless : public ::testing::TestWithParam<const Codec*> {};

std::vector<std::byte> encode(const Codec& codec, ElementType type,
                              std::span<const std::byte> values) {
  std::vector<std::byte> encoded(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, {}, encoded);
  EXPECT_TRUE(result.ok()) << describe(result.error);
  encoded.resize(result.size);
  return encoded;
}

TEST_P(Lossless, GivesBackEveryBit) {
  for (const std::size_t count : {0, 1, 2, 3, 31, 1000, 100'000}) {
    for (const auto& values : {adversarial<float>(count, 1), random_bits<float>(count, 2),
                               std::vector<float>(count, 1.0F)}) {
      const auto encoded = encode(*GetParam(), ElementType::float32, bytes_of(values));
      std::vector<float> decoded(count, -1);
      const Result result = GetParam()->decode(ElementType::float32, encoded,
                                               std::as_writable_bytes(std::span(decoded)));
      ASSERT_TRUE(result.ok()) << describe(result.error);
      EXPECT_EQ(result.size, count * sizeof(float));
      EXPECT_TRUE(count == 0 || std::memcmp(decoded.data(), values.data(), result.size) == 0);
    }
  }
}

TEST_P(Lossless, DamageIsAnErrorOrNothing) {
  const auto values = smooth<double>(5000);
  const auto encoded = encode(*GetParam(), ElementType::float64, bytes_of(values));
  std::vector<double> decoded(values.size());
  const auto out = std::as_writable_bytes(std::span(decoded));
  for (std::size_t size = 0; size < encoded.size(); size += 97) {
    EXPECT_EQ(GetParam()->decode(ElementType::float64, std::span(encoded).first(size), out).error,
              Error::damaged)
        << size;
  }
  auto longer = encoded;
  longer.push_back({});
  EXPECT_EQ(GetParam()->decode(ElementType::float64, longer, out).error, Error::damaged);
  EXPECT_EQ(GetParam()->decode(ElementType::float64, encoded, out.first(out.size() - 8)).error,
            Error::damaged);
}

TEST_P(Lossless, SaysWhenTheOutputIsTooSmall) {
  const auto values = random_bits<float>(1000, 3);
  const auto encoded = encode(*GetParam(), ElementType::float32, bytes_of(values));
  std::vector<std::byte> small(encoded.size() - 1);
  EXPECT_EQ(GetParam()->encode(ElementType::float32, bytes_of(values), {}, small).error,
            Error::output_too_small);
}

std::vector<const Codec*> lossless_codecs() {
  std::vector<const Codec*> result;
  for (const Codec* codec : all()) {
    if (!codec->lossy()) result.push_back(codec);
  }
  return result;
}

INSTANTIATE_TEST_SUITE_P(AllCodecs, Lossless, ::testing::ValuesIn(lossless_codecs()),
                         [](const auto& each) { return std::string(each.param->name()); });

TEST(Lz4, JoinsPieces) {
  const std::size_t count = (std::size_t{20} << 20) / sizeof(double);  // two pieces
  const auto values = smooth<double>(count);
  const auto encoded = encode(*find(Id::lz4), ElementType::float64, bytes_of(values));
  std::vector<double> decoded(count);
  ASSERT_TRUE(
      find(Id::lz4)
          ->decode(ElementType::float64, encoded, std::as_writable_bytes(std::span(decoded)))
          .ok());
  EXPECT_EQ(decoded, values);
}

TEST(Lz4, AThoroughSearchIsSmallerAndDecodesAlike) {
  const std::size_t count = 100'000;
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(i * 2654435761U) >> (20 + i % 7));
  }
  const Codec& lz4 = *find(Id::lz4);
  std::vector<std::byte> out(lz4.max_encoded_size(ElementType::int32, count));
  Parameters parameters;
  const auto encode_all = [&] {
    return lz4.encode(ElementType::int32, bytes_of(values), parameters, out);
  };
  const Result quick = encode_all();
  parameters.lz4_search = Lz4Search::thorough;
  const Result thorough = encode_all();
  ASSERT_TRUE(quick.ok() && thorough.ok());
  EXPECT_LT(thorough.size, quick.size);
  std::vector<std::int32_t> decoded(count);
  const auto encoded = std::span<const std::byte>(out).first(thorough.size);
  ASSERT_TRUE(
      lz4.decode(ElementType::int32, encoded, std::as_writable_bytes(std::span(decoded))).ok());
  EXPECT_EQ(decoded, values);
}

TEST(Zstd, RefusesALevelItDoesNotHave) {
  std::vector<std::byte> out(100);
  Parameters parameters;
  parameters.zstd_level = 1000;
  EXPECT_EQ(find(Id::zstd)->encode(ElementType::bytes, {}, parameters, out).error,
            Error::bad_parameter);
}

TEST(Zstd, HigherLevelsAreSmaller) {
  const auto values = smooth<float>(100'000);
  std::vector<std::byte> out(find(Id::zstd)->max_encoded_size(ElementType::float32, 100'000));
  Parameters parameters;
  const Result fast =
      find(Id::zstd)->encode(ElementType::float32, bytes_of(values), parameters, out);
  parameters.zstd_level = 12;
  const Result slow =
      find(Id::zstd)->encode(ElementType::float32, bytes_of(values), parameters, out);
  ASSERT_TRUE(fast.ok() && slow.ok());
  EXPECT_LT(slow.size, fast.size);
}

}  // namespace
}  // namespace tightwire::codec
