#include "wire/transfer_report.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tightwire::wire {
namespace {

constexpr policy::TransferReport report{17, 2e-9, 1e-9, 2.625};

TEST(TransferReport, ReadsWhatWasWritten) {
  EXPECT_EQ(read_report(write_report(report)), report);
}

TEST(TransferReport, EveryChangedBitIsSeen) {
  const auto written = write_report(report);
  for (std::size_t bit = 0; bit < 8 * written.size(); ++bit) {
    auto damaged = written;
    damaged[bit / 8] ^= static_cast<std::byte>(1 << (bit % 8));
    EXPECT_FALSE(read_report(damaged)) << bit;
  }
  EXPECT_FALSE(read_report({}));
}

TEST(TransferReport, TimesThatAreNoneAreRefused) {
  const auto with = [](double mean, double of_network) {
    return read_report(write_report({17, mean, of_network})).has_value();
  };
  EXPECT_TRUE(with(1, 1));
  for (const double none :
       {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(with(none, 1));
    EXPECT_FALSE(with(1, none));
  }
}

double told(double speedup) {
  const auto read = read_report(write_report({17, 1, 1, speedup}));
  return read ? read->coding_speedup : 0;
}

TEST(TransferReport, SpeedupsAreInEighthsRoundedDown) {
  EXPECT_EQ(told(1), 1);
  EXPECT_EQ(told(1.124), 1);
  EXPECT_EQ(told(1.125), 1.125);
  EXPECT_EQ(told(3.99), 3.875);
}

TEST(TransferReport, SpeedupsThatDoNotFitAreTheNextThatDo) {
  EXPECT_EQ(told(31.875), 31.875);
  EXPECT_EQ(told(32), 31.875);
  EXPECT_EQ(told(std::numeric_limits<double>::infinity()), 31.875);
  EXPECT_EQ(told(0), 1);
  EXPECT_EQ(told(-5), 1);
  EXPECT_EQ(told(std::numeric_limits<double>::quiet_NaN()), 1);
}

// Less than alone, under a hash that is right.
TEST(TransferReport, SpeedupsThatAreNoneAreRefused) {
  for (unsigned eighths = 0; eighths < 256; ++eighths) {
    auto written = write_report(report);
    written[17] = static_cast<std::byte>(eighths);
    const std::uint64_t hash = XXH3_64bits(written.data(), 24);
    std::memcpy(written.data() + 24, &hash, sizeof hash);
    const auto read = read_report(written);
    EXPECT_EQ(read.has_value(), eighths >= 8) << eighths;
    EXPECT_EQ(read ? read->coding_speedup : 0, eighths >= 8 ? eighths / 8.0 : 0) << eighths;
  }
}

}  // namespace
}  // namespace tightwire::wire
