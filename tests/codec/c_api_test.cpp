// The C API as a caller sees it: every error it states, NULL wherever it says so, and the values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "chunked/support.h"
#include "tightwire_codec.h"

namespace tightwire::codec::chunked {
namespace {

constexpr int float32 = TIGHTWIRE_CODEC_FLOAT32;

tightwire_codec_parameters parameters_with(double error_bound, std::uint64_t chunk_values = 0) {
  tightwire_codec_parameters parameters;
  tightwire_codec_defaults(&parameters);
  parameters.error_bound = error_bound;
  parameters.chunk_values = chunk_values;
  return parameters;
}

class CApi : public testing::Test {
 protected:
  static constexpr std::size_t count = 5000;

  Bytes chunked_stream() {
    std::size_t capacity = 0;
    EXPECT_EQ(tightwire_codec_chunked_max_encoded_size("bounded", float32, count, &parameters_,
                                                       &capacity),
              TIGHTWIRE_CODEC_OK);
    Bytes stream(capacity);
    std::size_t size = 0;
    EXPECT_EQ(tightwire_codec_chunked_encode("bounded", float32, values_.data(), count,
                                             &parameters_, nullptr, nullptr, nullptr, stream.data(),
                                             stream.size(), &size),
              TIGHTWIRE_CODEC_OK);
    stream.resize(size);
    return stream;
  }

  Bytes values_ = values_of(ElementType::float32, count);
  Bytes back_ = Bytes(values_.size());
  tightwire_codec_parameters parameters_ = parameters_with(1e-3, 1000);
};

TEST_F(CApi, VersionIsThatOfTheHeader) {
  EXPECT_EQ(tightwire_codec_version(), TIGHTWIRE_CODEC_VERSION);
}

TEST_F(CApi, EveryErrorHasItsOwnText) {
  const std::string unknown = tightwire_codec_describe(-1);
  EXPECT_EQ(tightwire_codec_describe(1000), unknown);
  for (int error = 0; error <= TIGHTWIRE_CODEC_OTHER_VERSION; ++error) {
    EXPECT_NE(tightwire_codec_describe(error), unknown) << error;
    for (int other = 0; other < error; ++other) {
      EXPECT_STRNE(tightwire_codec_describe(error), tightwire_codec_describe(other));
    }
  }
}

TEST_F(CApi, ListsTheCodecs) {
  std::size_t index = 0;
  for (const Codec* codec : all()) {
    int lossy = -1;
    EXPECT_EQ(tightwire_codec_name(index++, &lossy), codec->name());
    EXPECT_EQ(lossy, codec->lossy());
  }
  int lossy = -1;
  EXPECT_EQ(tightwire_codec_name(index, &lossy), nullptr);
  EXPECT_EQ(lossy, 0);
  EXPECT_EQ(tightwire_codec_name(std::numeric_limits<std::size_t>::max(), nullptr), nullptr);
}

TEST_F(CApi, EveryCodecGivesTheSameAsInCpp) {
  std::size_t index = 0;
  for (const char* name = tightwire_codec_name(0, nullptr); name != nullptr;
       name = tightwire_codec_name(++index, nullptr)) {
    const Codec& codec = *find(std::string_view(name));
    std::size_t capacity = 0;
    ASSERT_EQ(tightwire_codec_max_encoded_size(name, float32, count, &capacity), 0) << name;
    EXPECT_EQ(capacity, codec.max_encoded_size(ElementType::float32, count));
    Bytes ours(capacity);
    std::size_t size = 0;
    ASSERT_EQ(tightwire_codec_encode(name, float32, values_.data(), count, &parameters_,
                                     ours.data(), capacity, &size),
              TIGHTWIRE_CODEC_OK);
    Bytes theirs(capacity);
    const Result result =
        codec.encode(ElementType::float32, values_, parameters_within(1e-3), theirs);
    ours.resize(size);
    theirs.resize(result.size);
    EXPECT_EQ(ours, theirs) << name;
    Bytes their_values(values_.size());
    ASSERT_TRUE(codec.decode(ElementType::float32, theirs, their_values).ok());
    EXPECT_EQ(tightwire_codec_decode(name, float32, ours.data(), size, back_.data(), count), 0);
    EXPECT_EQ(back_, their_values) << name;
    EXPECT_EQ(tightwire_codec_decode(name, float32, ours.data(), size, back_.data(), count - 1),
              TIGHTWIRE_CODEC_DAMAGED)
        << name;
  }
}

TEST_F(CApi, SecondStageIsThatOfCpp) {
  Parameters parameters;
  parameters.second_stage = SecondStage::entropy;
  parameters_.second_stage = 1;
  const Codec& codec = *find(Id::exact);
  Bytes theirs(codec.max_encoded_size(ElementType::float32, count));
  const Result result = codec.encode(ElementType::float32, values_, parameters, theirs);
  Bytes ours(theirs.size());
  std::size_t size = 0;
  ASSERT_EQ(tightwire_codec_encode("exact", float32, values_.data(), count, &parameters_,
                                   ours.data(), ours.size(), &size),
            TIGHTWIRE_CODEC_OK);
  ours.resize(size);
  theirs.resize(result.size);
  EXPECT_EQ(ours, theirs);
  parameters_.second_stage = 2;
  EXPECT_EQ(tightwire_codec_encode("exact", float32, values_.data(), count, &parameters_,
                                   ours.data(), ours.size(), &size),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
}

TEST_F(CApi, StreamsSayWhatTheyAreAndDecodeInParts) {
  const Bytes stream = chunked_stream();
  tightwire_codec_stream info;
  ASSERT_EQ(tightwire_codec_chunked_inspect(stream.data(), stream.size(), &info), 0);
  EXPECT_STREQ(info.codec, "bounded");
  EXPECT_EQ(info.type, float32);
  EXPECT_EQ(info.count, count);
  EXPECT_EQ(info.chunk_values, 1000U);
  EXPECT_EQ(info.chunks, 5U);
  ASSERT_EQ(tightwire_codec_chunked_decode(float32, stream.data(), stream.size(), nullptr, nullptr,
                                           nullptr, back_.data(), count),
            0);
  Bytes part(4000);
  ASSERT_EQ(
      tightwire_codec_chunked_decode_chunk(stream.data(), stream.size(), 3, part.data(), 1000), 0);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), back_.begin() + 12'000));
  for (const std::uint64_t beyond : {std::uint64_t{5}, ~std::uint64_t{0}}) {
    EXPECT_EQ(tightwire_codec_chunked_decode_chunk(stream.data(), stream.size(), beyond,
                                                   part.data(), 1000),
              TIGHTWIRE_CODEC_BAD_PARAMETER);
  }
  EXPECT_EQ(tightwire_codec_chunked_decode_chunk(stream.data(), stream.size(), 3, part.data(), 999),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
}

TEST_F(CApi, ThreadsAndPollChangeNoByte) {
  const Bytes expected = chunked_stream();
  const auto poll = [](void* context) { ++*static_cast<int*>(context); };
  tightwire_codec_threads* const pool = tightwire_codec_threads_create(0);
  ASSERT_NE(pool, nullptr);
  tightwire_codec_threads* const with_and_without[] = {nullptr, pool};
  for (tightwire_codec_threads* const threads : with_and_without) {
    Bytes stream(expected.size() + 100'000);
    int polls = 0;
    std::size_t size = 0;
    ASSERT_EQ(
        tightwire_codec_chunked_encode("bounded", float32, values_.data(), count, &parameters_,
                                       threads, poll, &polls, stream.data(), stream.size(), &size),
        0);
    stream.resize(size);
    EXPECT_EQ(stream, expected);
    EXPECT_TRUE(polls == 5 || (threads != nullptr && polls < 5)) << polls;
  }
  tightwire_codec_threads_free(pool);
  tightwire_codec_threads_free(nullptr);
}

TEST_F(CApi, RefusesWithTheStatedError) {
  std::size_t size = 77;
  Bytes out(100'000);
  const auto encode_with = [&](const char* codec, int type, std::size_t values,
                               const tightwire_codec_parameters* parameters, std::size_t capacity) {
    size = 77;
    const int error = tightwire_codec_encode(codec, type, values_.data(), values, parameters,
                                             out.data(), capacity, &size);
    EXPECT_EQ(size, 0U) << "no size that looks like one";
    const int chunked =
        tightwire_codec_chunked_encode(codec, type, values_.data(), values, parameters, nullptr,
                                       nullptr, nullptr, out.data(), capacity, &size);
    EXPECT_EQ(error, chunked);
    return error;
  };
  EXPECT_EQ(encode_with("no-such", float32, 9, &parameters_, out.size()),
            TIGHTWIRE_CODEC_UNKNOWN_CODEC);
  EXPECT_EQ(encode_with(nullptr, float32, 9, &parameters_, out.size()),
            TIGHTWIRE_CODEC_UNKNOWN_CODEC);
  EXPECT_EQ(encode_with("bounded", TIGHTWIRE_CODEC_INT32, 9, &parameters_, out.size()),
            TIGHTWIRE_CODEC_UNSUPPORTED_TYPE);
  EXPECT_EQ(encode_with("zstd", 7, 9, nullptr, out.size()), TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(encode_with("zstd", -1, 9, nullptr, out.size()), TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(encode_with("zstd", float32, ~std::size_t{0}, nullptr, out.size()),
            TIGHTWIRE_CODEC_BAD_PARAMETER)
      << "a count whose bytes overflow";
  EXPECT_EQ(encode_with("bounded", float32, 9, nullptr, out.size()), TIGHTWIRE_CODEC_BAD_PARAMETER)
      << "no error bound";
  for (const double bound : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    const auto parameters = parameters_with(bound);
    EXPECT_EQ(encode_with("bounded", float32, 9, &parameters, out.size()),
              TIGHTWIRE_CODEC_BAD_PARAMETER)
        << bound;
  }
  EXPECT_EQ(encode_with("zstd", float32, count, nullptr, 10), TIGHTWIRE_CODEC_OUTPUT_TOO_SMALL);
  auto unset = parameters_;
  unset.struct_size = 0;
  EXPECT_EQ(encode_with("bounded", float32, 9, &unset, out.size()), TIGHTWIRE_CODEC_BAD_PARAMETER);
}

TEST_F(CApi, PlanesAreTakenFromTheParameters) {
  constexpr std::size_t row = 50;
  constexpr std::size_t plane = 1000;
  std::vector<float> field(20 * plane);
  for (std::size_t i = 0; i < field.size(); ++i) {
    const std::size_t place = i % plane;
    field[i] = static_cast<float>(place * place % 997 + i / plane);
  }
  Bytes out(field.size() * sizeof(float) + 1000);
  auto parameters = parameters_with(0);
  parameters.row_length = row;
  std::size_t without = 0;
  std::size_t with = 0;
  for (std::size_t* const size : {&without, &with}) {
    EXPECT_EQ(tightwire_codec_encode("exact", float32, field.data(), field.size(), &parameters,
                                     out.data(), out.size(), size),
              TIGHTWIRE_CODEC_OK);
    parameters.plane_length = plane;
  }
  EXPECT_LT(2 * with, without);
}

TEST_F(CApi, NullIsRefusedButForNothing) {
  std::size_t size = 0;
  Bytes out(100'000);
  EXPECT_EQ(tightwire_codec_encode("zstd", float32, nullptr, 1, nullptr, out.data(), 100, &size),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(tightwire_codec_encode("zstd", float32, values_.data(), 1, nullptr, nullptr, 99, &size),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(
      tightwire_codec_encode("zstd", float32, values_.data(), 1, nullptr, out.data(), 99, nullptr),
      TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(tightwire_codec_max_encoded_size("zstd", float32, 1, nullptr),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(tightwire_codec_chunked_max_encoded_size("zstd", float32, 1, nullptr, nullptr),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(tightwire_codec_decode("zstd", float32, nullptr, 1, back_.data(), 1),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(tightwire_codec_decode("zstd", float32, out.data(), 1, nullptr, 1),
            TIGHTWIRE_CODEC_BAD_PARAMETER);
  EXPECT_EQ(tightwire_codec_chunked_inspect(nullptr, 5, nullptr), TIGHTWIRE_CODEC_BAD_PARAMETER);
  tightwire_codec_stream info;
  EXPECT_EQ(tightwire_codec_chunked_inspect(nullptr, 0, &info), TIGHTWIRE_CODEC_DAMAGED);
  EXPECT_EQ(info.codec, nullptr);
  tightwire_codec_defaults(nullptr);

  ASSERT_EQ(tightwire_codec_chunked_encode("zstd", float32, nullptr, 0, nullptr, nullptr, nullptr,
                                           nullptr, out.data(), out.size(), &size),
            TIGHTWIRE_CODEC_OK);
  EXPECT_EQ(tightwire_codec_chunked_decode(float32, out.data(), size, nullptr, nullptr, nullptr,
                                           nullptr, 0),
            TIGHTWIRE_CODEC_OK);
}

TEST_F(CApi, DamageIsAnError) {
  Bytes stream = chunked_stream();
  stream.pop_back();
  tightwire_codec_stream info;
  EXPECT_EQ(tightwire_codec_chunked_inspect(stream.data(), stream.size(), &info),
            TIGHTWIRE_CODEC_DAMAGED);
  EXPECT_EQ(tightwire_codec_chunked_decode(float32, stream.data(), stream.size(), nullptr, nullptr,
                                           nullptr, back_.data(), count),
            TIGHTWIRE_CODEC_DAMAGED);
  EXPECT_EQ(
      tightwire_codec_chunked_decode_chunk(stream.data(), stream.size(), 0, back_.data(), 1000),
      TIGHTWIRE_CODEC_DAMAGED);
}

}  // namespace
}  // namespace tightwire::codec::chunked
