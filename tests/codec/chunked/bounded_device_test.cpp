// The codec that frames name where a GPU has encoded: found by its id alone, within the bound, and
// no stream in a stream.
#include <gtest/gtest.h>

#include "chunked/support.h"
#include "codec/error_bound.h"

namespace tightwire::codec::chunked {
namespace {

constexpr std::size_t values_of_chunk = 16384;
constexpr std::size_t count = 2 * values_of_chunk + 77;
constexpr auto type = ElementType::float32;

const Codec& codec() {
  return *find(Id::bounded_device);
}

Bytes stream_of(const Bytes& values) {
  Bytes out(codec().max_encoded_size(type, values.size() / sizeof(float)));
  out.resize(codec().encode(type, values, parameters_within(1e-3), out).size);
  return out;
}

Error decode_into(const Bytes& stream, Bytes& values) {
  return codec().decode(type, stream, values).error;
}

TEST(BoundedDevice, IsFoundByItsIdAlone) {
  EXPECT_EQ(codec().id(), Id::bounded_device);
  EXPECT_EQ(name_of(Id::bounded_device), "bounded-device");
  EXPECT_EQ(find("bounded-device"), nullptr);
  for (const Codec* one : all()) EXPECT_NE(one->id(), Id::bounded_device);
}

TEST(BoundedDevice, KeepsTheBound) {
  const Bytes values = values_of(type, count);
  const Bytes stream = stream_of(values);
  EXPECT_LT(stream.size() * 2, values.size());
  Bytes decoded(values.size());
  ASSERT_EQ(decode_into(stream, decoded), Error::none);
  for (std::size_t i = 0; i < count; ++i) {
    float before = 0;
    float after = 0;
    std::memcpy(&before, values.data() + i * sizeof before, sizeof before);
    std::memcpy(&after, decoded.data() + i * sizeof after, sizeof after);
    ASSERT_TRUE(honours_bound(before, after, 1e-3)) << i;
  }
}

TEST(BoundedDevice, TakesChunkedStreamsOfItsOwnKindOnly) {
  const Bytes values = values_of(type, count);
  Bytes decoded(values.size());
  EXPECT_EQ(
      decode_into(encoded(*find(Id::exact), type, values, in_chunks_of(values_of_chunk)), decoded),
      Error::damaged);
  EXPECT_EQ(decode_into(encoded(*find(Id::bounded), type, values, in_chunks_of(1024)), decoded),
            Error::damaged);
  EXPECT_EQ(decode_into(encoded(*find(Id::bounded), type, values, in_chunks_of(values_of_chunk)),
                        decoded),
            Error::none);
}

TEST(BoundedDevice, IsNoCodecOfChunks) {
  const Bytes values = values_of(type, count);
  Bytes stream = stream_of(values);
  stream[4] = std::byte{8};
  Bytes decoded(values.size());
  EXPECT_EQ(decode_into(stream, decoded), Error::damaged);
  EXPECT_EQ(decode(type, stream, {}, decoded).error, Error::damaged);
}

TEST(BoundedDevice, HasNoBytesAndNoIntegers) {
  EXPECT_FALSE(codec().supports(ElementType::int32));
  Bytes some(64);
  EXPECT_EQ(codec().decode(ElementType::bytes, some, some).error, Error::unsupported_type);
}

}  // namespace
}  // namespace tightwire::codec::chunked
