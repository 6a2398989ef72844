#include "wire/frame.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "wire/history.h"

namespace tightwire::wire {
namespace {

using codec::ElementType;

constexpr std::size_t payload_size = 24;
constexpr Expected expected{ElementType::float32, 64, 7};

std::vector<std::byte> sealed_frame() {
  std::vector<std::byte> frame(header_size + payload_size);
  for (std::size_t i = 0; i < payload_size; ++i) frame[header_size + i] = std::byte(i * 37);
  seal(frame, {Kind::data, codec::Id::zstd, ElementType::float32, 64, 7, codec::Id::bounded});
  return frame;
}

// As a hostile or foreign sender could: with a checksum that fits.
std::vector<std::byte> resealed(std::vector<std::byte> frame, const Header& header) {
  seal(frame, header);
  return frame;
}

TEST(Frame, OpensWhatItSealed) {
  const std::vector<std::byte> frame = sealed_frame();
  const Opened opened = open(frame, expected);
  ASSERT_FALSE(opened.problem);
  EXPECT_EQ(opened.codec, codec::Id::zstd);
  EXPECT_EQ(opened.tried, codec::Id::bounded);
  EXPECT_EQ(opened.type, ElementType::float32);
  ASSERT_EQ(opened.payload.size(), payload_size);
  EXPECT_EQ(opened.payload.data(), frame.data() + header_size);
}

TEST(Frame, LayoutIsTheDocumentedOne) {
  const std::vector<std::byte> frame = sealed_frame();
  const std::vector<unsigned char> head{'T', 'W', 'f', 0x1a, 1, 1, 1, 5, 64, 0, 0, 0, 0, 0, 0, 0,
                                        24,  0,   0,   0,    0, 0, 0, 0, 7,  0, 0, 0, 6, 0, 0, 0};
  EXPECT_EQ(std::memcmp(frame.data(), head.data(), head.size()), 0);
}

TEST(Frame, EverySingleBitFlipIsNoticed) {
  const std::vector<std::byte> frame = sealed_frame();
  for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
    std::vector<std::byte> damaged = frame;
    damaged[bit / 8] ^= std::byte(1U << bit % 8);
    EXPECT_TRUE(open(damaged, expected).problem) << "bit " << bit;
  }
}

// In frames of every size, from a header alone to more than one round of the checksum's long loop.
TEST(Frame, AMillionRandomBitFlipsAreNoticed) {
  constexpr int frames = 1000;
  constexpr int flips = 1000;
  constexpr std::size_t largest_payload = 4096;
  std::mt19937_64 random(1);
  for (int i = 0; i < frames; ++i) {
    const std::size_t value_bytes = 4 * (1 + random() % largest_payload);
    std::vector<std::byte> frame(header_size + random() % largest_payload);
    for (std::byte& byte : frame) byte = std::byte(random() & 0xff);
    const Expected wanted{ElementType::float32, value_bytes, static_cast<std::uint32_t>(random())};
    seal(frame, {Kind::data, codec::Id::exact, ElementType::float32, value_bytes, wanted.sequence,
                 codec::Id::exact});
    ASSERT_FALSE(open(frame, wanted).problem);
    for (int j = 0; j < flips; ++j) {
      const std::size_t bit = random() % (8 * frame.size());
      frame[bit / 8] ^= std::byte(1U << bit % 8);
      ASSERT_TRUE(open(frame, wanted).problem) << "bit " << bit << " of " << frame.size();
      frame[bit / 8] ^= std::byte(1U << bit % 8);
    }
    ASSERT_FALSE(open(frame, wanted).problem);
  }
}

TEST(Frame, EveryTruncationIsNoticed) {
  const std::vector<std::byte> frame = sealed_frame();
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_EQ(open(std::span(frame).first(size), expected).problem, Problem::truncated) << size;
  }
  std::vector<std::byte> longer = frame;
  longer.push_back(std::byte{0});
  EXPECT_EQ(open(longer, expected).problem, Problem::truncated);
}

TEST(Frame, NamesWhatIsWrong) {
  std::vector<std::byte> frame = sealed_frame();
  frame[0] = std::byte{'X'};
  EXPECT_EQ(open(frame, expected).problem, Problem::foreign);

  frame = sealed_frame();
  frame[4] = std::byte{format_version + 1};
  EXPECT_EQ(open(frame, expected).problem, Problem::other_version);

  frame = sealed_frame();
  frame.back() ^= std::byte{1};
  EXPECT_EQ(open(frame, expected).problem, Problem::checksum);
}

TEST(Frame, AFrameOfAnotherPlaceTypeOrSizeIsRefused) {
  const std::vector<std::byte> frame = sealed_frame();
  EXPECT_EQ(open(frame, {ElementType::float32, 64, 8}).problem, Problem::out_of_order);
  EXPECT_EQ(open(frame, {ElementType::int32, 64, 7}).problem, Problem::mismatch);
  EXPECT_EQ(open(frame, {ElementType::float32, 60, 7}).problem, Problem::mismatch);
}

TEST(Frame, AnUnknownTypeIsRefusedEvenWhereTheReceiverDoesNotKnowIt) {
  const auto frame = resealed(
      sealed_frame(), {Kind::data, codec::Id::raw, static_cast<ElementType>(77), 64, 7, {}});
  EXPECT_EQ(open(frame, {std::nullopt, 64, 7}).problem, Problem::mismatch);
}

TEST(Frame, ValuesThatAreNoWholeNumberOfElementsAreRefused) {
  const auto frame =
      resealed(sealed_frame(), {Kind::data, codec::Id::raw, ElementType::float64, 63, 7, {}});
  EXPECT_EQ(open(frame, {std::nullopt, 63, 7}).problem, Problem::mismatch);
}

TEST(Frame, AFailureFrameNamesTheRankItBeganWith) {
  std::vector<std::byte> frame(failure_frame_size);
  EXPECT_EQ(write_failure(frame, 7, {13, Problem::checksum}), failure_frame_size);
  const Opened opened = open(frame, expected);
  EXPECT_EQ(opened.problem, Problem::peer_failed);
  EXPECT_EQ(opened.origin.rank, 13U);
  EXPECT_EQ(opened.origin.problem, Problem::checksum);
}

std::vector<std::byte> unframed_frame(bool next = false) {
  std::vector<std::byte> frame(header_size);
  write_unframed(frame, 64, 7, next);
  return frame;
}

TEST(Frame, TellsOfAMessageThatComesWithoutFrames) {
  for (const bool next : {false, true}) {
    const std::vector<std::byte> frame = unframed_frame(next);
    EXPECT_EQ(kind_of(frame, 7), Kind::unframed);
    EXPECT_FALSE(open_unframed(frame, 64, 7).problem);
    EXPECT_EQ(open_unframed(frame, 64, 7).next, next);
    EXPECT_EQ(open_unframed(frame, 64, 8).problem, Problem::out_of_order);
    EXPECT_EQ(open_unframed(frame, 60, 7).problem, Problem::mismatch);
  }
}

TEST(Frame, OneThatTellsOfValuesIsNoData) {
  EXPECT_EQ(open(unframed_frame(), {std::nullopt, 64, 7}).problem, Problem::foreign);
  EXPECT_EQ(open_unframed(sealed_frame(), 64, 7).problem, Problem::foreign);
  std::vector<std::byte> longer(header_size + 8);
  seal(longer, {Kind::unframed, codec::Id::raw, ElementType::bytes, 64, 7, codec::Id::raw});
  EXPECT_EQ(open_unframed(longer, 64, 7).problem, Problem::truncated);
}

TEST(Frame, ValuesCanTellThatTheNextOnesComeWithoutFrames) {
  std::vector<std::byte> frame = sealed_frame();
  EXPECT_FALSE(next_is_unframed(frame));
  tell_next_unframed(frame);
  EXPECT_TRUE(next_is_unframed(frame));
  const Opened opened = open(frame, expected);
  ASSERT_FALSE(opened.problem);
  EXPECT_EQ(opened.tried, codec::Id::bounded);
  EXPECT_EQ(opened.payload.size(), payload_size);
}

TEST(Frame, AFrameToRememberTellsNothingOfTheNextOne) {
  std::vector<std::byte> frame(header_size + history_size);
  seal(frame, {Kind::remembered, codec::Id::raw, ElementType::float32, 0, 7, codec::Id::raw});
  EXPECT_FALSE(open(frame, {ElementType::float32, 0, 7}).problem);
  tell_next_unframed(frame);
  EXPECT_EQ(open(frame, {ElementType::float32, 0, 7}).problem, Problem::foreign);
}

TEST(Frame, ADamagedFrameIsOfNoKind) {
  const std::vector<std::byte> frame = unframed_frame(true);
  EXPECT_EQ(kind_of(sealed_frame(), 7), Kind::data);
  EXPECT_FALSE(kind_of(frame, 8));
  EXPECT_FALSE(kind_of({}, 7));
  for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
    std::vector<std::byte> damaged = frame;
    damaged[bit / 8] ^= std::byte(1U << bit % 8);
    EXPECT_FALSE(kind_of(damaged, 7)) << "bit " << bit;
    EXPECT_TRUE(open_unframed(damaged, 64, 7).problem) << "bit " << bit;
  }
}

TEST(Frame, RandomBytesAreNeverData) {
  std::mt19937_64 random(1);
  std::vector<std::byte> bytes(64);
  for (int round = 0; round < 100000; ++round) {
    for (std::byte& byte : bytes) byte = std::byte(random() & 0xff);
    // Past the first, cheap check, so that the later ones are put to the test.
    std::memcpy(bytes.data(), "TWf\x1a\x01\x01", 6);
    ASSERT_TRUE(open(bytes, expected).problem);
  }
}

TEST(Frame, EveryProblemHasItsOwnWords) {
  for (std::size_t i = 0; i < problem_count; ++i) {
    for (std::size_t j = i + 1; j < problem_count; ++j) {
      EXPECT_NE(describe(static_cast<Problem>(i)), describe(static_cast<Problem>(j)));
    }
  }
}

}  // namespace
}  // namespace tightwire::wire
