#include "cli/file/history/recorded_channels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "recording/format.h"
#include "recording/reader.h"

namespace tightwire::cli {
namespace {

constexpr double bound = 1e-4;

class Recording {
 public:
  Recording() { append(recording::to_bytes(recording::FileHeader{0, 2})); }

  void add(std::int32_t peer, const std::vector<double>& values) {
    recording::MessageHeader header;
    header.function = "MPI_Send";
    header.peer = peer;
    header.tag = 1;
    header.type = codec::ElementType::float64;
    header.bytes = values.size() * sizeof(double);
    append(recording::to_bytes(header));
    append(std::as_bytes(std::span(values)));
  }

  [[nodiscard]] std::vector<Channel> channels() const {
    auto reader = recording::Reader::of(bytes_);
    return channels_of(*reader, [](codec::ElementType, std::span<const std::byte>) {
      codec::Parameters parameters;
      parameters.error_bound = bound;
      parameters.alone = true;
      return parameters;
    });
  }

 private:
  void append(std::span<const std::byte> more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }

  std::vector<std::byte> bytes_;
};

// Rough in space, smooth in time.
std::vector<double> field(int step, std::size_t count, unsigned kind) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto phase = static_cast<double>((i * 2654435761U + kind * 40503U) % 65536U);
    values[i] = 1.5 + std::sin(0.01 * step + phase);
  }
  return values;
}

std::vector<double> noise(unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> values(4096);
  for (double& value : values) value = number(random);
  return values;
}

TEST(RecordedChannels, AreLookedAtInTime) {
  Recording recording;
  for (int step = 0; step < 40; ++step) recording.add(1, field(step, 4096, 0));
  const auto channels = recording.channels();
  ASSERT_EQ(channels.size(), 1U);
  EXPECT_EQ(channels[0].messages, 40U);
  EXPECT_LT(channels[0].exact_in_time * 3, channels[0].exact * 2);
  EXPECT_LT(channels[0].bounded_in_time * 2, channels[0].bounded);
}

TEST(RecordedChannels, FieldsOfOtherSizesAndThoseThatTakeTurnsAreNotMistaken) {
  Recording recording;
  for (int step = 0; step < 40; ++step) {
    recording.add(1, field(step, 4096, 0));
    recording.add(1, field(step, 4000, 2));
    recording.add(1, field(step, 4096, 1));
  }
  const auto channels = recording.channels();
  ASSERT_EQ(channels.size(), 1U);
  EXPECT_LT(channels[0].exact_in_time * 3, channels[0].exact * 2);
}

TEST(RecordedChannels, WhatHasNothingToPredictFromIsAsItIs) {
  Recording recording;
  for (int step = 0; step < 20; ++step) {
    recording.add(step, field(0, 4096, 0));
    recording.add(50, noise(static_cast<unsigned>(step)));
  }
  for (const Channel& channel : recording.channels()) {
    EXPECT_EQ(channel.exact_in_time, channel.exact);
    EXPECT_EQ(channel.bounded_in_time, channel.bounded);
  }
}

}  // namespace
}  // namespace tightwire::cli
