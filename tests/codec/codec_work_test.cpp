// What observers of the codecs' work are told of it.
#include "codec/codec_work.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "bounded/support.h"

namespace tightwire::codec {
namespace {

// Rough enough for the coder to make less of it.
Bytes rough_values() {
  std::vector<float> values(30000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = static_cast<double>(i);
    values[i] = static_cast<float>(std::round(40 * std::sin(x * 0.01) + 3 * std::sin(x * x)));
  }
  return bytes_of(values);
}

Work work_of_decoding_by(Id id, const Bytes& values, SecondStage stage) {
  const Codec& codec = *find(id);
  Parameters parameters = alone_parameters(0.1);
  parameters.second_stage = stage;
  Bytes made(codec.max_encoded_size(ElementType::float32, values.size() / sizeof(float)));
  const Result result = codec.encode(ElementType::float32, values, parameters, made);
  EXPECT_TRUE(result.ok());
  return work_of_decoding(id, std::span(made).first(result.size));
}

TEST(CodecWork, SecondStageHasItsOwn) {
  for (const Id id : {Id::bounded, Id::exact}) {
    EXPECT_EQ(work_of_decoding_by(id, rough_values(), SecondStage::none), Work::decode);
    EXPECT_EQ(work_of_decoding_by(id, rough_values(), SecondStage::entropy), Work::decode_coded);
  }
  Parameters parameters;
  EXPECT_EQ(work_of_encoding(parameters), Work::encode);
  parameters.alone = true;
  EXPECT_EQ(work_of_encoding(parameters), Work::encode_alone);
  parameters.terms = 2;
  EXPECT_EQ(work_of_encoding(parameters), Work::encode) << "on the grid of the sum";
  parameters.second_stage = SecondStage::entropy;
  EXPECT_EQ(work_of_encoding(parameters), Work::encode_coded);
}

TEST(CodecWork, OtherBytesAreDecodedWithoutIt) {
  for (const Id id : {Id::raw, Id::bounded, Id::exact, Id::zstd}) {
    for (const std::size_t size : {0U, 1U, 27U, 28U, 100U}) {
      EXPECT_EQ(work_of_decoding(id, Bytes(size)), Work::decode);
    }
  }
}

std::optional<WorkDone> told;

TEST(CodecWork, IsToldToWhoAsks) {
  note_decoding(Id::raw, Bytes(3), 12);
  EXPECT_FALSE(told);
  work_observer = [](const WorkDone& done) { told = done; };
  note_decoding(Id::raw, Bytes(3), 12);
  work_observer = nullptr;
  ASSERT_TRUE(told);
  EXPECT_EQ(told->work, Work::decode);
  EXPECT_EQ(told->value_bytes, 12U);
  EXPECT_EQ(told->moved_bytes, 3U);
}

}  // namespace
}  // namespace tightwire::codec
