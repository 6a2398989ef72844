// A whole message that a device has encoded, as it crosses the network: with the codec's number in
// a frame, read by receivers that have no device, and the same bytes in every release.
#include <gtest/gtest.h>

#include "device/host_codec.h"
#include "fields.h"
#include "wire/pack.h"
#include "wire/trailer.h"

namespace tightwire::device {
namespace {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes stream_of(const std::vector<T>& values) {
  const auto header = header_for(type_of<T>, 1e-2, 0, 300);
  Bytes stream(max_encoded_size(type_of<T>, values.size()));
  stream.resize(encode({}, header, bytes_of(values), stream).size);
  return stream;
}

template <class T>
Bytes frame_of(const std::vector<T>& values) {
  const Bytes stream = stream_of(values);
  Bytes frame(wire::header_size + stream.size());
  frame.resize(wire::pack_encoded(codec::Id::bounded_device, codec::Id::bounded_device, type_of<T>,
                                  values.size() * sizeof(T), stream, 3, frame));
  return frame;
}

// As p2p/transfer/outgoing.cpp makes it.
template <class T>
Bytes message_of(const std::vector<T>& values) {
  const Bytes stream = stream_of(values);
  const wire::Trailer trailer{wire::FrameKind::encoded,
                              codec::Id::bounded_device,
                              type_of<T>,
                              codec::Id::bounded_device,
                              values.size() * sizeof(T),
                              stream.size(),
                              0,
                              1,
                              7};
  const auto mark = wire::write_mark();
  const auto end = wire::write_trailer(trailer, stream);
  Bytes message(mark.begin(), mark.end());
  message.insert(message.end(), stream.begin(), stream.end());
  message.insert(message.end(), end.begin(), end.end());
  return message;
}

template <class T>
class DeviceMessage : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(DeviceMessage, Types);

TYPED_TEST(DeviceMessage, IsReadWithoutADevice) {
  const auto values = whole_steps<TypeParam>();
  const Bytes message = message_of(values);
  const auto read = wire::read_trailer(std::span(message).last(wire::trailer_size), message.size());
  ASSERT_FALSE(read.problem);
  const auto payload = std::span(message).subspan(wire::mark_size, read.trailer.payload_bytes);
  ASSERT_TRUE(read.matches(payload));
  const codec::Codec* const codec = codec::find(read.trailer.codec);
  ASSERT_NE(codec, nullptr);
  std::vector<TypeParam> here(values.size());
  std::vector<TypeParam> there(values.size());
  ASSERT_TRUE(
      codec->decode(read.trailer.type, payload, std::as_writable_bytes(std::span(here))).ok());
  ASSERT_TRUE(
      decode({}, type_of<TypeParam>, payload, std::as_writable_bytes(std::span(there))).ok());
  EXPECT_TRUE(same_bits(here, there));
}

TYPED_TEST(DeviceMessage, ComesInFramesOfCollectivesToo) {
  const auto values = whole_steps<TypeParam>();
  std::vector<TypeParam> received(values.size());
  EXPECT_FALSE(wire::unpack(frame_of(values), type_of<TypeParam>, 3,
                            std::as_writable_bytes(std::span(received)))
                   .problem);
  EXPECT_NEAR(received[5], values[5], 1e-2);
}

// What two releases write must be the same.
TEST(DeviceMessageBytes, AreThoseOfBefore) {
  EXPECT_EQ(digest(frame_of(whole_steps<float>())), 1237861195308696591U);
  EXPECT_EQ(digest(frame_of(whole_steps<double>())), 12660411347328006538U);
  EXPECT_EQ(digest(message_of(whole_steps<float>())), 16085855549456538651U);
  EXPECT_EQ(digest(message_of(whole_steps<double>())), 7532209613043120722U);
}

}  // namespace
}  // namespace tightwire::device
