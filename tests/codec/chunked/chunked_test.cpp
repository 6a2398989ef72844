#include "codec/chunked/chunked.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "chunked/support.h"

namespace tightwire::codec::chunked {
namespace {

constexpr ElementType every_type[] = {ElementType::bytes,  ElementType::int8,  ElementType::int16,
                                      ElementType::int32,  ElementType::int64, ElementType::float32,
                                      ElementType::float64};

// What the codec alone gives back, chunk by chunk: what the stream must give, bit for bit.
Bytes decoded_alone(const Codec& codec, ElementType type, const Bytes& values, std::size_t chunk) {
  const std::size_t step = chunk * element_size(type);
  Bytes out(values.size());
  for (std::size_t at = 0; at < values.size(); at += step) {
    const std::size_t size = std::min(step, values.size() - at);
    Bytes coded(codec.max_encoded_size(type, size / element_size(type)));
    const Result result =
        codec.encode(type, std::span(values).subspan(at, size), parameters_within(1e-3), coded);
    EXPECT_TRUE(result.ok());
    if (result.size >= size) {
      std::memcpy(out.data() + at, values.data() + at, size);
    } else {
      const auto part = std::span(out).subspan(at, size);
      EXPECT_TRUE(codec.decode(type, std::span(coded).first(result.size), part).ok());
    }
  }
  return out;
}

TEST(Chunked, GivesBackWhatTheCodecGivesForEveryCodecAndType) {
  for (const Codec* codec : all()) {
    for (const ElementType type : every_type) {
      if (!codec->supports(type)) continue;
      for (const std::size_t count : {0, 1, 99, 100, 101, 1000, 4321}) {
        const Bytes values = values_of(type, count);
        const Bytes stream = encoded(*codec, type, values, in_chunks_of(100));
        ASSERT_FALSE(stream.empty()) << codec->name() << ' ' << count;
        Bytes back(values.size(), std::byte{0xaa});
        const Result result = decode(type, stream, {}, back);
        ASSERT_EQ(result.error, Error::none) << codec->name() << ' ' << count;
        EXPECT_EQ(result.size, values.size());
        EXPECT_EQ(back, decoded_alone(*codec, type, values, 100)) << codec->name() << ' ' << count;
        EXPECT_TRUE(codec->lossy() || back == values) << codec->name() << ' ' << count;
      }
    }
  }
}

TEST(Chunked, StepsGiveTheSameBytesAsOneCall) {
  const Codec& codec = *find(Id::bounded);
  const Bytes values = values_of(ElementType::float32, 10'000);
  const Bytes whole = encoded(codec, ElementType::float32, values, in_chunks_of(1024));
  Bytes out(max_encoded_size(codec, ElementType::float32, 10'000, 1024));
  Encoder encoder(codec, ElementType::float32, values, parameters_within(1e-3), 1024, out);
  std::size_t before = encoder.size();
  for (std::uint64_t chunk = 0; chunk < 10; ++chunk) {
    EXPECT_FALSE(encoder.done());
    encoder.step();
    EXPECT_EQ(encoder.chunks_written(), chunk + 1);
    EXPECT_GT(encoder.size(), before);
    before = encoder.size();
    EXPECT_TRUE(std::equal(out.begin() + header_size + 80, out.begin() + encoder.size(),
                           whole.begin() + header_size + 80))
        << "what is written stays";
  }
  EXPECT_TRUE(encoder.done());
  EXPECT_EQ(encoder.error(), Error::none);
  out.resize(encoder.size());
  EXPECT_EQ(out, whole);
}

TEST(Chunked, ChunksDecodeAloneAndInAnyOrder) {
  const Codec& codec = *find(Id::zstd);
  const Bytes values = values_of(ElementType::float64, 5000);
  const Bytes stream = encoded(codec, ElementType::float64, values, in_chunks_of(999));
  View view;
  ASSERT_EQ(View::open(stream, view), Error::none);
  EXPECT_EQ(view.codec().id(), Id::zstd);
  EXPECT_EQ(view.type(), ElementType::float64);
  ASSERT_EQ(view.cut().chunks(), 6U);
  for (const std::uint64_t chunk : {5, 0, 3, 3, 1}) {
    Bytes part(view.cut().values_in(chunk) * 8);
    ASSERT_EQ(view.decode_chunk(chunk, part), Error::none);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), values.begin() + view.cut().first(chunk) * 8));
  }
  Bytes wrong(8);
  EXPECT_EQ(view.decode_chunk(0, wrong), Error::bad_parameter);
}

TEST(Chunked, NeverGrowsByMoreThanHeaderAndIndex) {
  const Bytes values = noise(80'000);
  for (const Codec* codec : all()) {
    if (!codec->supports(ElementType::bytes)) continue;
    const Bytes stream = encoded(*codec, ElementType::bytes, values, in_chunks_of(1000));
    EXPECT_EQ(stream.size(), header_size + 80 * index_entry_size + values.size()) << codec->name();
    Bytes back(values.size());
    EXPECT_TRUE(decode(ElementType::bytes, stream, {}, back).ok());
    EXPECT_EQ(back, values);
  }
}

TEST(Chunked, WhatTheCodecCallsIncompressibleIsStored) {
  const Bytes values = noise(80'000);
  Parameters parameters;
  parameters.least_ratio = 1.05;
  const Codec& codec = *find(Id::exact);
  Bytes out(max_encoded_size(codec, ElementType::int64, 10'000, 5000));
  ASSERT_EQ(codec.encode(ElementType::int64, values, parameters, out).error, Error::incompressible);
  const Result result =
      encode(codec, ElementType::int64, values, parameters, in_chunks_of(5000), out);
  ASSERT_TRUE(result.ok());
  Bytes back(values.size());
  EXPECT_TRUE(decode(ElementType::int64, std::span(out).first(result.size), {}, back).ok());
  EXPECT_EQ(back, values);
}

TEST(Chunked, OneByteLessThanTheStatedSizeIsRefused) {
  const Codec& codec = *find(Id::zstd);
  const Bytes values = values_of(ElementType::int32, 5000);
  Bytes out(max_encoded_size(codec, ElementType::int32, 5000, 1000));
  const std::span short_of_one = std::span(out).first(out.size() - 1);
  const Options options = in_chunks_of(1000);
  EXPECT_EQ(encode(codec, ElementType::int32, values, {}, options, short_of_one).error,
            Error::output_too_small);
  EXPECT_EQ(encode(codec, ElementType::int32, values, {}, options, out).error, Error::none);
}

TEST(Chunked, RefusesWhatTheCodecRefuses) {
  Bytes out(1000);
  const Bytes values(16);
  EXPECT_EQ(encode(*find(Id::bounded), ElementType::int32, values, {}, {}, out).error,
            Error::unsupported_type);
  EXPECT_EQ(encode(*find(Id::bounded), ElementType::float32, values, {}, {}, out).error,
            Error::bad_parameter)
      << "no error bound";
  const std::span half_a_value = std::span(values).first(6);
  EXPECT_EQ(encode(*find(Id::zstd), ElementType::int32, half_a_value, {}, {}, out).error,
            Error::bad_parameter);
}

TEST(Chunked, PollsAfterEveryChunk) {
  const Codec& codec = *find(Id::lz4);
  const Bytes values = values_of(ElementType::int16, 1050);
  int polls = 0;
  Options options = in_chunks_of(100);
  options.poll = {[](void* context) { ++*static_cast<int*>(context); }, &polls};
  const Bytes stream = encoded(codec, ElementType::int16, values, options);
  EXPECT_EQ(polls, 11);
  Bytes back(values.size());
  EXPECT_TRUE(decode(ElementType::int16, stream, options, back).ok());
  EXPECT_EQ(polls, 22);
}

// The example of docs/dev/format.md.
TEST(Chunked, GoldenStream) {
  const Bytes values = noise(5);
  const Bytes stream = encoded(*find(Id::raw), ElementType::int8, values, in_chunks_of(2));
  const unsigned char expected[] = {
      'T', 'W', 'C', 1, 0, 1, 0, 0,  // magic, version, raw, int8, reserved
      5,   0,   0,   0, 0, 0, 0, 0,  // values
      2,   0,   0,   0, 0, 0, 0, 0,  // values per chunk
      2,   0,   0,   0, 0, 0, 0, 0,  // ends of the three chunks
      4,   0,   0,   0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(stream.size(), sizeof expected + 5);
  EXPECT_EQ(std::memcmp(stream.data(), expected, sizeof expected), 0);
  EXPECT_EQ(std::memcmp(stream.data() + sizeof expected, values.data(), 5), 0);
}

TEST(Chunked, LengthOfChunksByDefaultIsThatOfItsBytes) {
  const std::size_t count = 2 * default_chunk_bytes / 8 + 1;
  const Bytes stream =
      encoded(*find(Id::zstd), ElementType::float64, values_of(ElementType::float64, count), {});
  View view;
  ASSERT_EQ(View::open(stream, view), Error::none);
  EXPECT_EQ(view.cut().chunks(), 3U);
}

}  // namespace
}  // namespace tightwire::codec::chunked
