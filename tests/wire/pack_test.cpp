#include "wire/pack.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace tightwire::wire {
namespace {

using codec::ElementType;

std::vector<std::byte> zeros(std::size_t size) {
  return std::vector<std::byte>(size);
}

std::vector<std::byte> noise(std::size_t size) {
  std::mt19937_64 random(42);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = std::byte(random() & 0xff);
  return bytes;
}

std::vector<std::byte> packed(const codec::Codec& codec, const std::vector<std::byte>& values) {
  codec::Parameters parameters;
  parameters.error_bound = 1e-3;
  std::vector<std::byte> frame(packing_size(codec, ElementType::float64, values.size()));
  frame.resize(pack(codec, ElementType::float64, values, parameters, 3, frame));
  return frame;
}

TEST(Pack, EveryCodecsFramesUnpack) {
  for (const codec::Codec* codec : codec::all()) {
    if (!codec->supports(ElementType::float64)) continue;
    for (const std::size_t size : {0, 8, 4096}) {
      const std::vector<std::byte> frame = packed(*codec, zeros(size));
      std::vector<std::byte> values = noise(size);
      const Unpacked unpacked = unpack(frame, ElementType::float64, 3, values);
      EXPECT_FALSE(unpacked.problem) << codec->name() << " " << size;
      EXPECT_EQ(unpacked.tried, codec->id());
      EXPECT_EQ(values, zeros(size)) << codec->name();
    }
  }
}

TEST(Pack, WhatDoesNotShrinkTravelsAsItIs) {
  const std::vector<std::byte> values = noise(65536);
  const codec::Codec* zstd = codec::find(codec::Id::zstd);
  ASSERT_NE(zstd, nullptr);
  const std::vector<std::byte> frame = packed(*zstd, values);
  EXPECT_EQ(frame.size(), header_size + values.size());
  EXPECT_EQ(std::memcmp(frame.data() + header_size, values.data(), values.size()), 0);
}

TEST(Pack, NoFrameIsLargerThanAReceiverExpects) {
  for (const codec::Codec* codec : codec::all()) {
    if (!codec->supports(ElementType::float64)) continue;
    for (const std::size_t size : {0, 8, 16, 65536}) {
      EXPECT_LE(packed(*codec, noise(size)).size(), max_frame_size(size)) << codec->name();
    }
  }
}

TEST(Pack, APayloadThatDoesNotDecodeIsAProblem) {
  std::vector<std::byte> frame = packed(*codec::find(codec::Id::zstd), zeros(4096));
  // With a checksum that fits, so that only the codec can notice.
  frame.resize(frame.size() - 1);
  seal(frame, {Kind::data, codec::Id::zstd, ElementType::float64, 4096, 3, codec::Id::zstd});
  std::vector<std::byte> values(4096);
  EXPECT_EQ(unpack(frame, ElementType::float64, 3, values).problem, Problem::undecodable);
}

TEST(Pack, AnUnknownCodecIsAProblem) {
  std::vector<std::byte> frame = packed(*codec::find(codec::Id::zstd), zeros(4096));
  seal(frame, {Kind::data, static_cast<codec::Id>(250), ElementType::float64, 4096, 3, {}});
  std::vector<std::byte> values(4096);
  EXPECT_EQ(unpack(frame, ElementType::float64, 3, values).problem, Problem::unknown_codec);
}

TEST(Pack, AFailureFrameFitsEvenWhereNoValuesAreDue) {
  EXPECT_GE(max_frame_size(0), failure_frame_size);
}

}  // namespace
}  // namespace tightwire::wire
