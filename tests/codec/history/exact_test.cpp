// The promises of `exact` where it predicts from earlier messages.
#include <gtest/gtest.h>

#include "codec/chunked/chunked.h"
#include "codec/exact/layout.h"
#include "codec/exact/transform.h"
#include "codec/simd/kernels.h"
#include "history/support.h"

namespace tightwire::codec {
namespace {

constexpr ElementType every_type[] = {ElementType::bytes,  ElementType::int8,  ElementType::int16,
                                      ElementType::int32,  ElementType::int64, ElementType::float32,
                                      ElementType::float64};

class History : public testing::Test {
 protected:
  ~History() override { use_kernels(before_); }
  const Kernels& before_ = active_kernels();
};

Parameters parameters_of(std::size_t components, SecondStage stage) {
  Parameters parameters;
  parameters.components = static_cast<std::uint32_t>(components);
  parameters.row_length = 60 * parameters.components;
  parameters.second_stage = stage;
  return parameters;
}

void expect_all_bits(const InTime& all, std::size_t references, const Parameters& parameters) {
  const Bytes bytes = encoded_in_time(all, references, parameters);
  Bytes values;
  ASSERT_EQ(decode_in_time(all, references, bytes, values), Error::none);
  ASSERT_EQ(values, all.values) << "type " << static_cast<int>(all.type) << ", " << references
                                << " references, " << all.values.size() << " bytes";
}

// Of every instruction set the same bytes, each decoded by the other.
void expect_the_same_everywhere(const InTime& all, std::size_t references,
                                const Parameters& parameters) {
  use_kernels(*all_kernels().back());
  const Bytes bytes = encoded_in_time(all, references, parameters);
  for (const Kernels* kernels : all_kernels()) {
    if (!runs_here(*kernels)) continue;
    use_kernels(*kernels);
    ASSERT_EQ(encoded_in_time(all, references, parameters), bytes) << kernels->name;
    Bytes values;
    ASSERT_EQ(decode_in_time(all, references, bytes, values), Error::none) << kernels->name;
    ASSERT_EQ(values, all.values) << kernels->name;
  }
}

TEST_F(History, ReturnsEveryBitOfEveryType) {
  for (const ElementType type : every_type) {
    for (int course = 0; course < static_cast<int>(Course::last); ++course) {
      for (const std::size_t count : {0, 1, 31, 100, 1024, 5000}) {
        const InTime all = in_time(type, static_cast<Course>(course), count, count);
        for (std::size_t references = 0; references <= most_references; ++references) {
          expect_all_bits(all, references, parameters_of(1 + references % 3, SecondStage::none));
        }
        expect_all_bits(all, 3, parameters_of(1, SecondStage::entropy));
        expect_all_bits(all, 8, parameters_of(3, SecondStage::entropy));
      }
    }
  }
}

TEST_F(History, EveryInstructionSetGivesTheSameBytes) {
  for (const ElementType type : every_type) {
    for (int course = 0; course < static_cast<int>(Course::last); ++course) {
      const InTime all = in_time(type, static_cast<Course>(course), 4500, 7);
      for (std::size_t references = 1; references <= most_references; ++references) {
        const auto stage = references % 4 == 0 ? SecondStage::entropy : SecondStage::none;
        expect_the_same_everywhere(all, references, parameters_of(1 + references % 2 * 2, stage));
      }
    }
  }
}

TEST_F(History, AnUnchangedMessageTakesSomeBytes) {
  for (const ElementType type : every_type) {
    InTime all{type, {}, {}};
    all.values = bytes_of(make_data<double>(Shape::any_bits, 1 << 17, 1, 5));
    all.before = {8, all.values};
    for (const std::size_t references : {1, 8}) {
      EXPECT_LT(encoded_in_time(all, references).size(), 200u) << static_cast<int>(type);
    }
    EXPECT_LT(encoded_in_time(all, 2, parameters_of(3, SecondStage::none)).size(), 300u);
    EXPECT_LT(encoded_in_time(all, 1, parameters_of(1, SecondStage::entropy)).size(), 200u);
  }
}

// With references to a constant field of any value nothing is left, of high orders too.
TEST_F(History, ConstantValuesLeaveNothingWhateverTheOrder) {
  InTime all = in_time(ElementType::float64, Course::smooth, 1 << 15);
  const double fills[] = {1e20,
                          -0.0,
                          0.1,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::quiet_NaN(),
                          5e-324,
                          1e308};
  const auto fill = [&](Bytes& bytes) {
    for (std::size_t i = 1 << 14; i < 1 << 15; ++i) {
      std::memcpy(bytes.data() + i * sizeof(double), &fills[i / 64 % 7], sizeof(double));
    }
  };
  const std::size_t varied = encoded_in_time(in_time(all.type, Course::smooth, 1 << 14), 6).size();
  fill(all.values);
  for (Bytes& one : all.before) fill(one);
  const Bytes bytes = encoded_in_time(all, 6);
  EXPECT_LT(bytes.size(), varied + 200);
  exact::Transform transform;
  const auto references = all.references(6);
  ASSERT_NE(exact::read_transform(all.type, 1 << 15, std::span(bytes).subspan(exact::header_size),
                                  references, transform),
            0u);
  EXPECT_GE(transform.order, 3);
}

TEST_F(History, WhatDoesNotHelpIsNotUsed) {
  for (const ElementType type : every_type) {
    InTime all = in_time(type, Course::smooth, 4096, 1);
    const InTime other = in_time(type, Course::any_bits, 4096, 2);
    all.before = other.before;
    EXPECT_EQ(encoded_in_time(all, 8), encoded_in_time(all, 0)) << static_cast<int>(type);
  }
}

TEST_F(History, TilesThatReferencesDoNotPredictAreLeftOut) {
  const InTime all = in_time(ElementType::float64, Course::smooth, 1 << 15);
  InTime partly = all;
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < 1 << 15; ++i) {
    if (i / 4096 % 4 != 0) continue;
    // A straight line now, and noise before.
    for (int step = 0; step <= 8; ++step) {
      Bytes& bytes = step == 0 ? partly.values : partly.before[static_cast<std::size_t>(step) - 1];
      const double line = 1 + static_cast<double>(i) * 0x1p-40;
      const double value = step == 0 ? line : static_cast<double>(random() >> 11);
      std::memcpy(bytes.data() + i * sizeof(double), &value, sizeof value);
    }
  }
  const Bytes bytes = encoded_in_time(partly, 6);
  exact::Transform transform;
  const auto references = partly.references(6);
  ASSERT_NE(exact::read_transform(all.type, 1 << 15, std::span(bytes).subspan(exact::header_size),
                                  references, transform),
            0u);
  const Bytes expected{std::byte{0x0f}, std::byte{0}, std::byte{0x0f}, std::byte{0}};
  EXPECT_EQ(Bytes(transform.left_out.begin(), transform.left_out.end()), expected);
  EXPECT_LT(bytes.size(), encoded_in_time(all, 6).size());
  expect_the_same_everywhere(partly, 6, {});
  expect_the_same_everywhere(partly, 6, parameters_of(3, SecondStage::entropy));
}

TEST_F(History, FewerReferencesThanWereUsedAreDamage) {
  for (const SecondStage stage : {SecondStage::none, SecondStage::entropy}) {
    const InTime all = in_time(ElementType::float64, Course::smooth, 5000);
    const Bytes bytes = encoded_in_time(all, 3, parameters_of(1, stage));
    Bytes values(all.values.size());
    EXPECT_EQ(decode_in_time(all, 2, bytes, values), Error::damaged);
    EXPECT_EQ(codec_in_time().decode(all.type, bytes, values).error, Error::damaged);
    EXPECT_EQ(decode_in_time(all, 8, bytes, values), Error::none);
    EXPECT_EQ(values, all.values);
  }
}

TEST_F(History, ReferencesOfAnotherSizeAreRefused) {
  const InTime all = in_time(ElementType::float64, Course::smooth, 5000);
  const Bytes bytes = encoded_in_time(all, 2);
  InTime wrong = all;
  wrong.before[1].resize(wrong.before[1].size() - 8);
  EXPECT_TRUE(encoded_in_time(wrong, 2).empty());
  Bytes values;
  EXPECT_EQ(decode_in_time(wrong, 2, bytes, values), Error::bad_parameter);
  wrong = all;
  wrong.before.push_back(all.before[0]);
  EXPECT_TRUE(encoded_in_time(wrong, 9).empty());
  EXPECT_EQ(decode_in_time(wrong, 9, bytes, values), Error::bad_parameter);
}

TEST_F(History, OtherReferencesGiveOtherValues) {
  const InTime all = in_time(ElementType::float64, Course::smooth, 5000);
  const Bytes bytes = encoded_in_time(all, 2);
  InTime other = all;
  other.before = in_time(all.type, Course::specials, 5000, 9).before;
  Bytes values;
  EXPECT_EQ(decode_in_time(other, 2, bytes, values), Error::none);
  EXPECT_NE(values, all.values);
}

TEST_F(History, EveryDamagedByteIsFoundOrHarmless) {
  const InTime all = in_time(ElementType::float32, Course::in_part, 6000);
  const Bytes bytes = encoded_in_time(all, 4);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50) {
    Bytes values;
    const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(decode_in_time(all, 4, cut, values), Error::damaged);
  }
  for (const unsigned order : {0u, 9u, 15u, 0x20u + 4, 0x80u + 4}) {
    Bytes changed = bytes;
    changed[exact::header_size + 1] = std::byte(order);
    Bytes values;
    EXPECT_EQ(decode_in_time(all, 8, changed, values), Error::damaged) << order;
  }
}

// Doubles that a program sends as bytes, behind three others.
TEST_F(History, WordsAmongBytesArePredicted) {
  const auto as_bytes = [](const Bytes& words) {
    Bytes bytes(3, std::byte{0x5a});
    bytes.insert(bytes.end(), words.begin(), words.end());
    return bytes;
  };
  const InTime words = in_time(ElementType::float64, Course::smooth, 20000);
  InTime all{ElementType::bytes, as_bytes(words.values), {}};
  for (const Bytes& one : words.before) all.before.push_back(as_bytes(one));
  EXPECT_GT(ratio_in_time(all, 4), 0.98 * ratio_in_time(words, 4));
  expect_all_bits(all, 4, {});
  expect_all_bits(all, 4, parameters_of(1, SecondStage::entropy));
}

// Which is how `bounded` encodes what no grid suits.
TEST_F(History, BoundedWithoutAGridPassesThemOn) {
  const InTime all = in_time(ElementType::float64, Course::smooth, 5000);
  const Codec& bounded = *find(Id::bounded);
  const auto references = all.references(4);
  Parameters parameters = alone_parameters(1e-280);
  Bytes out(bounded.max_encoded_size(all.type, 5000));
  const std::size_t without = bounded.encode(all.type, all.values, parameters, out).size;
  parameters.references = references;
  const Result result = bounded.encode(all.type, all.values, parameters, out);
  ASSERT_TRUE(result.ok());
  EXPECT_LT(result.size, without);
  Bytes values(all.values.size());
  out.resize(result.size);
  ASSERT_TRUE(bounded.decode_with(all.type, out, references, values).ok());
  EXPECT_EQ(values, all.values);
  EXPECT_EQ(bounded.decode(all.type, out, values).error, Error::damaged);
}

TEST_F(History, ChunkedStreamsTakeNone) {
  const InTime all = in_time(ElementType::float64, Course::smooth, 5000);
  const auto references = all.references(2);
  Parameters parameters;
  Bytes out(chunked::max_encoded_size(codec_in_time(), all.type, 5000, 8000));
  chunked::Options options;
  options.values_per_chunk = 8000;
  const auto error = [&] {
    return chunked::encode(codec_in_time(), all.type, all.values, parameters, options, out).error;
  };
  EXPECT_EQ(error(), Error::none);
  parameters.references = references;
  EXPECT_EQ(error(), Error::bad_parameter);
}

}  // namespace
}  // namespace tightwire::codec
