// What a device has written crosses the network in the frames that everything else does: they have
// the checksum.
#include <gtest/gtest.h>

#include "codec/chunked/chunked.h"
#include "device/host_codec.h"
#include "fields.h"
#include "wire/pack.h"

namespace tightwire::device {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint32_t sequence = 5;

// The only chunk of the values, in a frame.
Bytes frame_of(const std::vector<float>& values) {
  const auto header = header_for(ElementType::float32, 1e-3, -1, 1);
  Bytes stream(max_encoded_size(ElementType::float32, values.size()));
  stream.resize(encode({}, header, bytes_of(values), stream).size);
  codec::chunked::View view;
  EXPECT_EQ(codec::chunked::View::open(stream, view), codec::Error::none);
  const auto chunk = view.encoded_chunk(0);
  Bytes frame(wire::header_size + chunk.size());
  frame.resize(wire::pack_encoded(codec::Id::bounded, codec::Id::bounded, ElementType::float32,
                                  values.size() * sizeof(float), chunk, sequence, frame));
  return frame;
}

std::vector<float> some_values() {
  std::vector<float> values(1100);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i) * 0.01f);
  }
  return values;
}

std::optional<wire::Problem> problem_of(const Bytes& frame, std::vector<float>& values) {
  return wire::unpack(frame, ElementType::float32, sequence,
                      std::as_writable_bytes(std::span(values)))
      .problem;
}

TEST(DeviceFrame, IsReadByEveryReceiver) {
  const std::vector<float> values = some_values();
  std::vector<float> received(values.size());
  ASSERT_FALSE(problem_of(frame_of(values), received));
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(received[i], values[i], 1e-3);
}

TEST(DeviceFrame, WithAFlippedBitIsRefused) {
  const Bytes frame = frame_of(some_values());
  std::vector<float> received(some_values().size());
  for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
    Bytes damaged = frame;
    damaged[bit / 8] ^= std::byte(1U << bit % 8);
    EXPECT_TRUE(problem_of(damaged, received)) << "bit " << bit;
  }
}

}  // namespace
}  // namespace tightwire::device
