#include "wire/transfer_report.h"

#include <gtest/gtest.h>

#include <limits>

namespace tightwire::wire {
namespace {

constexpr policy::TransferReport report{17, 2e-9, 1e-9};

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

}  // namespace
}  // namespace tightwire::wire
