#include "runtime/report/remark.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tightwire::runtime {
namespace {

using policy::Reason;
using std::chrono::seconds;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

class Remark : public testing::Test {
 protected:
  void left(Reason reason, std::uint64_t bytes) {
    gain.left[static_cast<std::size_t>(reason)] = bytes;
  }

  [[nodiscard]] std::string said() const { return remark(job, gain, settings).value_or(""); }

  void expect_said(const std::string& words) const {
    EXPECT_NE(said().find(words), std::string::npos) << "said: " << said();
  }

  Job job{8, 2, seconds{30}};
  Gain gain;
  settings::Settings settings{.mode = settings::Mode::adaptive};
};

TEST_F(Remark, IsOneLineThatSaysWhyAndWhatToTry) {
  left(Reason::rounds, 90 * mebibyte);
  left(Reason::small, 10 * mebibyte);
  expect_said(
      "tightwire: nothing was gained: 90 % of the bytes are sums of floating-point numbers");
  expect_said("--error-bound");
  expect_said("`tightwire audit`");
  expect_said("--quiet");
  EXPECT_EQ(said().find('\n'), said().size() - 1);
}

TEST_F(Remark, NamesTheReasonOfMostBytes) {
  left(Reason::small, 3 * mebibyte);
  left(Reason::too_slow, 4 * mebibyte);
  left(Reason::same_host, 2 * mebibyte);
  expect_said("44 % of the bytes would take longer to encode than to send");
  left(Reason::same_host, 5 * mebibyte);
  expect_said("stay within a host");
}

TEST_F(Remark, EveryReasonHasWordsOfItsOwn) {
  std::vector<std::string> all;
  for (std::size_t i = 1; i < policy::reason_count; ++i) {
    gain = {};
    gain.left[i] = mebibyte;
    all.push_back(said());
    expect_said("100 % of the bytes ");
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST_F(Remark, IsNotMadeOfAJobThatGained) {
  left(Reason::rounds, 90 * mebibyte);
  gain.compressed = 10 * mebibyte;
  gain.saved = mebibyte;
  EXPECT_EQ(said(), "");
  gain.saved = 4 * mebibyte;
  EXPECT_EQ(said(), "");
  gain.saved = mebibyte / 2;
  EXPECT_NE(said(), "");
}

TEST_F(Remark, CountsWhatDidNotShrinkInVain) {
  left(Reason::small, mebibyte);
  gain.compressed = 3 * mebibyte;
  gain.saved = -1;
  expect_said("75 % of the bytes do not shrink without loss: try --error-bound");
  settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-9};
  expect_said("do not shrink within the error bound");
}

TEST_F(Remark, OneHostIsTheReasonWhateverElseIs) {
  job.hosts = 1;
  left(Reason::rounds, 90 * mebibyte);
  expect_said("all 8 ranks are on one host");
  gain = {};
  expect_said("all 8 ranks are on one host");
  settings.same_host = settings::SameHost::compress;
  left(Reason::rounds, 90 * mebibyte);
  expect_said("are sums of floating-point numbers");
}

TEST_F(Remark, IsNotMadeOfAShortJobThatSentNextToNothing) {
  left(Reason::small, mebibyte - 1);
  job.time = std::chrono::milliseconds{999};
  EXPECT_EQ(said(), "");
  job.time = seconds{1};
  expect_said("few messages crossed the network that are long enough");
  job.time = std::chrono::milliseconds{1};
  left(Reason::small, mebibyte);
  expect_said("100 % of the bytes are in messages too short");
}

TEST_F(Remark, IsNotMadeOfOneRank) {
  job.ranks = 1;
  left(Reason::rounds, 90 * mebibyte);
  EXPECT_EQ(said(), "");
}

TEST_F(Remark, IsLeftOutWhereTheUserSaysSo) {
  EXPECT_TRUE(may_remark(settings));
  settings.quiet = settings::Switch::on;
  EXPECT_FALSE(may_remark(settings));
  settings.quiet = settings::Switch::off;
  settings.mode = settings::Mode::raw;
  EXPECT_FALSE(may_remark(settings));
}

}  // namespace
}  // namespace tightwire::runtime
