#include "wire/round_header.h"

#include <gtest/gtest.h>

namespace tightwire::wire {
namespace {

const RoundHeader header{1000, 300, 7, 77};

TEST(RoundHeader, ReadsWhatWasWritten) {
  const ReadRoundHeader read = read_round_header(write_round_header(header), 1000);
  ASSERT_FALSE(read.problem);
  EXPECT_EQ(read.header.value_bytes, 1000U);
  EXPECT_EQ(read.header.batch_bytes, 300U);
  EXPECT_EQ(read.header.pieces, 7U);
  EXPECT_EQ(read.header.tag, 77U);
}

TEST(RoundHeader, EveryChangedBitIsSeen) {
  const auto written = write_round_header(header);
  for (std::size_t byte = 0; byte < round_header_size; ++byte) {
    for (int bit = 0; bit < 8; ++bit) {
      auto damaged = written;
      damaged[byte] ^= static_cast<std::byte>(1 << bit);
      EXPECT_TRUE(read_round_header(damaged, 1000).problem) << byte << ' ' << bit;
    }
  }
  EXPECT_EQ(read_round_header(std::span(written).first(round_header_size - 1), 1000).problem,
            Problem::truncated);
}

TEST(RoundHeader, CutsThatNoSenderMakesAreRefused) {
  const auto problem = [](const RoundHeader& written) {
    return read_round_header(write_round_header(written), 1000).problem;
  };
  EXPECT_EQ(problem({1008, 300, 7, 77}), Problem::mismatch);
  EXPECT_EQ(problem({1000, 0, 1, 77}), Problem::mismatch);
  EXPECT_EQ(problem({1000, 1001, 1, 77}), Problem::mismatch);
  EXPECT_EQ(problem({1000, 300, 0, 77}), Problem::mismatch);
  EXPECT_EQ(problem({1000, 300, 301, 77}), Problem::mismatch);
  EXPECT_FALSE(problem({1000, 1000, 1, 77}));
}

}  // namespace
}  // namespace tightwire::wire
