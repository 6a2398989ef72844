#include "wire/trailer.h"

#include <gtest/gtest.h>

#include <vector>

namespace tightwire::wire {
namespace {

std::vector<std::byte> some_bytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 7);
  return bytes;
}

constexpr std::size_t message_size = 1000;
const Trailer coded{FrameKind::encoded,
                    codec::Id::exact,
                    codec::ElementType::float64,
                    codec::Id::exact,
                    8000,
                    900,
                    77,
                    5,
                    1234567890123};

TEST(Trailer, ReadsWhatWasWritten) {
  const auto payload = some_bytes(900);
  const auto read = read_trailer(write_trailer(coded, payload), message_size);
  ASSERT_FALSE(read.problem);
  EXPECT_EQ(read.trailer.kind, FrameKind::encoded);
  EXPECT_EQ(read.trailer.codec, codec::Id::exact);
  EXPECT_EQ(read.trailer.type, codec::ElementType::float64);
  EXPECT_EQ(read.trailer.value_bytes, 8000U);
  EXPECT_EQ(read.trailer.payload_bytes, 900U);
  EXPECT_EQ(read.trailer.tag, 77U);
  EXPECT_EQ(read.trailer.chunks, 5U);
  EXPECT_EQ(read.trailer.number, 1234567890123U);
  EXPECT_TRUE(read.matches(payload));
}

TEST(Trailer, EveryChangedBitIsSeen) {
  const auto payload = some_bytes(900);
  const auto written = write_trailer(coded, payload);
  for (std::size_t byte = 0; byte < trailer_size; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      auto damaged = written;
      damaged[byte] ^= static_cast<std::byte>(1 << bit);
      EXPECT_TRUE(read_trailer(damaged, message_size).problem) << byte << ' ' << bit;
    }
  }
  auto other = payload;
  other[450] ^= std::byte{1};
  EXPECT_FALSE(read_trailer(written, message_size).matches(other));
}

TEST(Trailer, SizesThatNoSenderWritesAreRefused) {
  const auto refused = [](Trailer trailer, std::size_t size) {
    return read_trailer(write_trailer(trailer, {}), size).problem.has_value();
  };
  EXPECT_TRUE(refused(coded, 971));  // the payload would reach into the trailer
  EXPECT_FALSE(refused(coded, 972));
  EXPECT_TRUE(refused(coded, 8001));  // longer than its message
  Trailer odd = coded;
  odd.value_bytes = 8001;
  EXPECT_TRUE(refused(odd, message_size));
  const Trailer stored{FrameKind::stored,
                       codec::Id::raw,
                       codec::ElementType::bytes,
                       codec::Id::raw,
                       1000,
                       936,
                       1,
                       0};
  EXPECT_FALSE(refused(stored, 1000));
  EXPECT_TRUE(refused(stored, 1001));
  Trailer shorter = stored;
  shorter.value_bytes = 1936;
  EXPECT_FALSE(refused(shorter, 1000));
  shorter.value_bytes = 1937;  // more than in the frame would follow it
  EXPECT_TRUE(refused(shorter, 1000));
  EXPECT_TRUE(read_trailer({}, 0).problem);
}

std::vector<std::byte> coded_message() {
  auto message = some_bytes(message_size);
  const auto mark = write_mark();
  const auto trailer = write_trailer(coded, std::span(message).subspan(mark_size, 900));
  std::copy(mark.begin(), mark.end(), message.begin());
  std::copy(trailer.begin(), trailer.end(), message.end() - trailer_size);
  return message;
}

TEST(Marks, AFrameIsKnownByEitherEnd) {
  const auto message = coded_message();
  EXPECT_TRUE(looks_framed(message));
  EXPECT_TRUE(looks_framed(std::span(message).first(500)));
  EXPECT_TRUE(looks_framed(std::span(message).last(500)));
  EXPECT_FALSE(looks_framed(std::span(message).subspan(10, 500)));
}

TEST(Marks, AFrameWithWrongBitsIsStillOne) {
  for (std::size_t at = 0; at < 8 * message_size; ++at) {
    auto message = coded_message();
    message[at / 8] ^= static_cast<std::byte>(1 << (at % 8));
    ASSERT_TRUE(looks_framed(message)) << at;
  }
  // The end alone, as of a stored message: eight bits, not nine.
  auto message = coded_message();
  message[0] ^= std::byte{0xff};
  message[1] ^= std::byte{0xff};
  message[message_size - 1] ^= std::byte{0xff};
  EXPECT_TRUE(looks_framed(message));
  message[message_size - 2] ^= std::byte{1};
  EXPECT_FALSE(looks_framed(message));
}

TEST(Marks, OtherDataIsNotTakenForAFrame) {
  std::vector<std::byte> message(message_size);
  EXPECT_FALSE(looks_framed(message));
  EXPECT_FALSE(looks_framed(some_bytes(message_size)));
  message.assign(message_size, std::byte{0xff});
  EXPECT_FALSE(looks_framed(message));
  EXPECT_FALSE(looks_framed(std::span(message).first(mark_size - 1)));
  EXPECT_FALSE(looks_framed({}));
}

std::vector<std::byte> trailing_of(std::span<const std::byte> last) {
  std::vector<std::byte> trailing(trailing_size(last.size()));
  write_trailing_bytes(last, 9, trailing);
  return trailing;
}

TEST(Tail, IsOfItsStream) {
  for (const std::size_t size :
       {std::size_t{1}, end_size(false), end_size(true), std::size_t{999}}) {
    const auto last = some_bytes(size);
    auto trailing = trailing_of(last);
    const auto read = read_trailing_bytes(trailing, 9);
    ASSERT_TRUE(read) << size;
    EXPECT_TRUE(std::equal(read->begin(), read->end(), last.begin(), last.end()));
    EXPECT_FALSE(read_trailing_bytes(trailing, 10));
    EXPECT_FALSE(read_trailing_bytes(std::span(trailing).first(trailing.size() - 1), 9));
    trailing[0] ^= std::byte{4};
    EXPECT_FALSE(read_trailing_bytes(trailing, 9));
  }
  EXPECT_FALSE(read_trailing_bytes({}, 9));
}

}  // namespace
}  // namespace tightwire::wire
