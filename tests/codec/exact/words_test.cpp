// Bytes that are words of some type.
#include "codec/exact/words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bounded/support.h"
#include "codec/estimate/estimate.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {
namespace {

const Codec& exact_codec_under_test() {
  return *find(Id::exact);
}

Bytes encoded_exactly(ElementType type, std::span<const std::byte> values,
                      const Parameters& parameters = {}) {
  const Codec& codec = exact_codec_under_test();
  Bytes out(codec.max_encoded_size(type, values.size() / element_size(type)));
  const Result result = codec.encode(type, values, parameters, out);
  EXPECT_TRUE(result.ok());
  out.resize(result.size);
  return out;
}

bool are_words(const Bytes& encoded) {
  return encoded[2] == std::byte(exact::Method::words);
}

bool comes_back(const Bytes& encoded, const Bytes& bytes) {
  Bytes decoded(bytes.size());
  return exact_codec_under_test().decode(ElementType::bytes, encoded, decoded).ok() &&
         decoded == bytes;
}

template <class T>
Bytes wave() {
  std::vector<T> values(8192);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<T>(20000 * std::sin(1e-3 * static_cast<double>(i)));
  }
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

Bytes wave_of(ElementType type) {
  switch (type) {
    case ElementType::int16:
      return wave<std::int16_t>();
    case ElementType::int32:
      return wave<std::int32_t>();
    case ElementType::int64:
      return wave<std::int64_t>();
    case ElementType::float32:
      return wave<float>();
    default:
      return wave<double>();
  }
}

constexpr ElementType word_types[] = {ElementType::int16, ElementType::int32, ElementType::int64,
                                      ElementType::float32, ElementType::float64};

Bytes with_others_around(const Bytes& words, std::size_t before, std::size_t behind) {
  Bytes bytes(before, std::byte{0x71});
  bytes.insert(bytes.end(), words.begin(), words.end());
  bytes.insert(bytes.end(), behind, std::byte{0x17});
  return bytes;
}

TEST(Words, TakeNoMoreThanAsWhatTheyAre) {
  for (const ElementType type : word_types) {
    const Bytes words = wave_of(type);
    const std::size_t by_type = encoded_exactly(type, words).size();
    for (std::size_t before = 0; before < element_size(type); ++before) {
      for (const std::size_t behind : {std::size_t{0}, element_size(type) - 1}) {
        const Bytes bytes = with_others_around(words, before, behind);
        const Bytes encoded = encoded_exactly(ElementType::bytes, bytes);
        EXPECT_TRUE(are_words(encoded));
        EXPECT_LE(encoded.size(), by_type + 64) << int(type) << " from byte " << before;
        EXPECT_TRUE(comes_back(encoded, bytes));
      }
    }
  }
}

TEST(Words, GoThroughTheEntropyCoder) {
  Parameters parameters;
  parameters.second_stage = SecondStage::entropy;
  for (const ElementType type : word_types) {
    const Bytes bytes = with_others_around(wave_of(type), 1, 1);
    const Bytes encoded = encoded_exactly(ElementType::bytes, bytes, parameters);
    EXPECT_LE(encoded.size(), encoded_exactly(type, wave_of(type), parameters).size() + 64);
    EXPECT_TRUE(comes_back(encoded, bytes));
  }
}

// Each row repeats the one above.
TEST(Words, RowsAreOfBytes) {
  std::mt19937 random(5);
  std::vector<float> values(64 * 256);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i < 256 ? 1 + static_cast<float>(random()) * 0x1p-34f : values[i - 256];
  }
  const auto span = std::as_bytes(std::span(values));
  const Bytes bytes(span.begin(), span.end());
  Parameters parameters;
  parameters.row_length = 256 * sizeof(float);
  const Bytes with_rows = encoded_exactly(ElementType::bytes, bytes, parameters);
  EXPECT_LT(with_rows.size() * 4, encoded_exactly(ElementType::bytes, bytes).size());
  EXPECT_TRUE(comes_back(with_rows, bytes));
}

TEST(Words, AreNotSeenInNoiseAndText) {
  std::mt19937 random(7);
  Bytes noise(100000);
  for (std::byte& byte : noise) byte = std::byte(random());
  EXPECT_FALSE(exact::choose_words(noise).found());
  Bytes text(100000);
  for (std::byte& byte : text) byte = std::byte(32 + random() % 64);
  EXPECT_FALSE(exact::choose_words(text).found());
}

TEST(Words, AnyNumberOfBytesIsExact) {
  const Bytes words = wave<float>();
  for (std::size_t size : {0, 1, 16383, 16384, 16385, 16389, 20000}) {
    const Bytes bytes(words.begin() + 3, words.begin() + 3 + std::ptrdiff_t(size));
    EXPECT_TRUE(comes_back(encoded_exactly(ElementType::bytes, bytes), bytes)) << size;
  }
}

TEST(Words, DamageIsFound) {
  const Bytes bytes = with_others_around(wave<double>(), 3, 2);
  const Bytes good = encoded_exactly(ElementType::bytes, bytes);
  ASSERT_TRUE(comes_back(good, bytes));
  const auto damaged = [&](std::size_t at, unsigned value) {
    Bytes bad = good;
    bad[at] = std::byte(value);
    return !comes_back(bad, bytes);
  };
  constexpr std::size_t frame = exact::header_size;
  for (const unsigned type : {0U, 1U, 5U, 7U, 255U}) EXPECT_TRUE(damaged(frame, type)) << type;
  for (const unsigned offset : {0U, 2U, 4U, 8U, 255U}) EXPECT_TRUE(damaged(frame + 1, offset));
  EXPECT_TRUE(damaged(1, unsigned(ElementType::float64)));
  for (std::size_t size = 0; size < 60; ++size) {
    EXPECT_FALSE(comes_back(Bytes(good.begin(), good.begin() + std::ptrdiff_t(size)), bytes));
  }
}

TEST(Words, AreEstimated) {
  const Id wanted[] = {Id::exact};
  for (const ElementType type : word_types) {
    const Bytes bytes = with_others_around(wave_of(type), 0, 1);
    const Estimate expected = estimate(ElementType::bytes, bytes, {}, wanted);
    const double ratio = static_cast<double>(bytes.size()) /
                         static_cast<double>(encoded_exactly(ElementType::bytes, bytes).size());
    EXPECT_NEAR(expected.of(Id::exact)->ratio / ratio, 1, 0.15) << int(type);
  }
}

}  // namespace
}  // namespace tightwire::codec
