// Damaged chunked streams: an error or the right size of data, never anything out of bounds (which
// the sanitizers would see).
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "chunked/support.h"

namespace tightwire::codec::chunked {
namespace {

Bytes sample_stream(Id id) {
  const Bytes values = values_of(ElementType::float32, 350);
  return encoded(*find(id), ElementType::float32, values, in_chunks_of(100));
}

Error decode_350(const Bytes& stream) {
  Bytes values(std::size_t{350} * 4);
  return decode(ElementType::float32, stream, {}, values).error;
}

template <class T>
void put(Bytes& stream, std::size_t offset, T value) {
  std::memcpy(stream.data() + offset, &value, sizeof value);
}

std::size_t end_offset(std::size_t chunk) {
  return header_size + chunk * index_entry_size;
}

TEST(ChunkedHostile, EveryTruncationIsDamage) {
  const Bytes stream = sample_stream(Id::bounded);
  ASSERT_EQ(decode_350(stream), Error::none);
  for (std::size_t size = 0; size < stream.size(); ++size) {
    EXPECT_EQ(decode_350(Bytes(stream.begin(), stream.begin() + size)), Error::damaged) << size;
  }
}

TEST(ChunkedHostile, TrailingBytesAreDamage) {
  Bytes stream = sample_stream(Id::bounded);
  stream.push_back(std::byte{0});
  EXPECT_EQ(decode_350(stream), Error::damaged);
}

TEST(ChunkedHostile, EveryChangedByteOfHeaderAndIndexIsDamage) {
  for (const Id id : {Id::bounded, Id::zstd}) {
    const Bytes stream = sample_stream(id);
    for (std::size_t at = 0; at < end_offset(4); ++at) {
      for (unsigned flip = 1; flip < 256; ++flip) {
        Bytes damaged = stream;
        damaged[at] ^= std::byte(flip);
        EXPECT_NE(decode_350(damaged), Error::none) << static_cast<int>(id) << ' ' << at;
      }
    }
  }
}

TEST(ChunkedHostile, SurvivesEveryChangedByte) {
  for (const Codec* codec : all()) {
    if (!codec->supports(ElementType::float32)) continue;
    const Bytes stream = sample_stream(codec->id());
    for (std::size_t at = 0; at < stream.size(); ++at) {
      Bytes damaged = stream;
      damaged[at] ^= std::byte{0xff};
      const Error error = decode_350(damaged);
      EXPECT_TRUE(error == Error::none || error == Error::damaged || error == Error::other_version)
          << codec->name() << ' ' << at;
    }
  }
}

TEST(ChunkedHostile, SpecificLies) {
  const struct {
    const char* what;
    std::function<void(Bytes&)> lie;
  } lies[] = {
      {"index runs backwards", [](Bytes& s) { put(s, end_offset(1), std::uint64_t{0}); }},
      {"ends overflow", [](Bytes& s) { put(s, end_offset(0), ~std::uint64_t{0}); }},
      {"last end past the stream",
       [](Bytes& s) { put(s, end_offset(3), std::uint64_t{s.size()}); }},
      {"chunks of no values", [](Bytes& s) { put(s, 16, std::uint64_t{0}); }},
      {"more chunks than bytes", [](Bytes& s) { put(s, 16, std::uint64_t{1}); }},
      {"count times size overflows",
       [](Bytes& s) {
         put(s, 8, std::numeric_limits<std::uint64_t>::max());
         put(s, 16, std::numeric_limits<std::uint64_t>::max());
       }},
      {"a count of 2^62, which times 4 is 0", [](Bytes& s) { put(s, 8, std::uint64_t{1} << 62); }},
      {"a codec that does not exist", [](Bytes& s) { put(s, 4, std::uint8_t{200}); }},
      {"a type that does not exist", [](Bytes& s) { put(s, 5, std::uint8_t{77}); }},
      {"a type that the codec has not", [](Bytes& s) { put(s, 5, std::uint8_t{3}); }},
      {"reserved bits", [](Bytes& s) { put(s, 6, std::uint16_t{1}); }},
  };
  for (const auto& [what, lie] : lies) {
    Bytes stream = sample_stream(Id::bounded);
    lie(stream);
    View view;
    EXPECT_EQ(View::open(stream, view), Error::damaged) << what;
    EXPECT_EQ(decode_350(stream), Error::damaged) << what;
  }
}

// Of the stream, or of a chunk in it.
TEST(ChunkedHostile, AnotherVersionIsToldFromDamage) {
  for (const std::size_t offset : {std::size_t{3}, end_offset(4)}) {
    Bytes stream = sample_stream(Id::bounded);
    put(stream, offset, std::uint8_t{2});
    EXPECT_EQ(decode_350(stream), Error::other_version) << offset;
  }
}

TEST(ChunkedHostile, AnotherCountOrTypeIsDamage) {
  const Bytes stream = sample_stream(Id::zstd);
  Bytes values(std::size_t{349} * 4);
  EXPECT_EQ(decode(ElementType::float32, stream, {}, values).error, Error::damaged);
  values.resize(std::size_t{350} * 4);
  EXPECT_EQ(decode(ElementType::int32, stream, {}, values).error, Error::damaged);
}

}  // namespace
}  // namespace tightwire::codec::chunked
