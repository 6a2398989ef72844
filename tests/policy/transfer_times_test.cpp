#include "policy/tuning/messages/transfer_times.h"

#include <gtest/gtest.h>

#include <vector>

namespace tightwire::policy {
namespace {

constexpr std::size_t size = 100'000;

// A sender and its receiver; what each message takes either of them, by how it is sent.
class Pair {
 public:
  struct Seconds {
    double sender = 0;
    double receiver = 0;
  };

  // What the sender may do with the next message, which is then sent so.
  bool send(const Seconds& unmodified, const Seconds& encoded) {
    const std::optional<double> link = judge_.link();
    const Seconds& seconds = link ? encoded : unmodified;
    judge_.sent({link.has_value(), bytes, seconds.sender, both_ways});
    const auto report = receiver_.add(bytes, seconds.receiver);
    reports_ += report ? 1 : 0;
    if (report) judge_.told(*report);
    return link.has_value();
  }
  int encoded_of(int messages, const Seconds& unmodified, const Seconds& encoded) {
    int count = 0;
    for (int i = 0; i < messages; ++i) count += send(unmodified, encoded) ? 1 : 0;
    return count;
  }

  bool both_ways = false;
  std::size_t bytes = size;

  EncodingTuner& judge() { return judge_; }
  [[nodiscard]] int reports() const { return reports_; }

 private:
  EncodingTuner judge_;
  SeenTransfers receiver_;
  int reports_ = 0;
};

TEST(RecentTimes, KnowTheMeanOfTheLastOnesButForTheLongest) {
  RecentTimes times;
  EXPECT_EQ(times.mean(), 0);
  for (int i = 0; i < 100; ++i) times.add(1, 7);
  for (int i = 0; i < 29; ++i) times.add(1, 1);
  for (int i = 0; i < 3; ++i) times.add(1, 1000);
  EXPECT_EQ(times.count(), 130);
  EXPECT_EQ(times.mean(), 1);
}

TEST(SizeClass, IsThatOfSizesWithinAFactorOfTwo) {
  EXPECT_EQ(size_class(65536), size_class(131071));
  EXPECT_NE(size_class(65535), size_class(65536));
}

TEST(EncodingTuner, KnowsNothingBeforeAReport) {
  EncodingTuner judge;
  judge.sent({false, size, 1e-3, false});
  EXPECT_FALSE(judge.link());
}

TEST(EncodingTuner, MeasuresTheLinkByUnmodifiedMessages) {
  Pair pair;
  EXPECT_EQ(pair.encoded_of(6, {0, 1e-3}, {}), 0);
  ASSERT_TRUE(pair.judge().link());
  EXPECT_DOUBLE_EQ(*pair.judge().link(), size / 1e-3);
}

TEST(EncodingTuner, BothSidesWaitForOneMessageAtOnce) {
  Pair pair;
  pair.encoded_of(6, {1e-3, 0.9e-3}, {});
  EXPECT_DOUBLE_EQ(pair.judge().link().value_or(0), size / 1e-3);
}

TEST(EncodingTuner, RanksThatSendToEachOtherWaitInTurns) {
  // LAMMPS: in MPI_Send, and then for what the other has sent.
  Pair pair;
  pair.both_ways = true;
  pair.encoded_of(6, {0.75e-3, 0.25e-3}, {});
  EXPECT_DOUBLE_EQ(pair.judge().link().value_or(0), size / 1e-3);
}

TEST(EncodingTuner, OfThoseItCountsItsOwnWaiting) {
  // The other one waits for what is being sent; this one finds the other's message there.
  EncodingTuner judge;
  SeenTransfers receiver;
  for (int i = 0; i < 6; ++i) {
    judge.sent({false, size, 1e-3, true});
    judge.waited(size, 1e-5);
    if (const auto report = receiver.add(size, 1e-3)) judge.told(*report);
  }
  EXPECT_NEAR(judge.link().value_or(0), size / 1e-3, 1);  // what is there takes no network
}

TEST(EncodingTuner, OfThoseOneMayGainOnlyWhenTheOtherOneDoes) {
  Pair pair;
  pair.both_ways = true;
  EXPECT_GT(pair.encoded_of(10'000, {0, 1e-3}, {1e-4, 0.95e-3}), 9000);
  Pair losing;
  losing.both_ways = true;
  EXPECT_LT(losing.encoded_of(10'000, {0, 1e-3}, {2e-4, 0.95e-3}), 1000);
}

TEST(EncodingTuner, LeavesOutTheFirstMessages) {
  Pair pair;
  pair.encoded_of(2, {0, 1.0}, {});
  pair.encoded_of(4, {0, 1e-3}, {});
  EXPECT_DOUBLE_EQ(pair.judge().link().value_or(0), size / 1e-3);
}

TEST(EncodingTuner, OneLongMessageIsEnough) {
  EncodingTuner judge;
  SeenTransfers receiver;
  constexpr std::size_t much = std::size_t{16} << 20;
  const auto report = receiver.add(much, 0.1);
  ASSERT_TRUE(report);
  judge.told(*report);
  EXPECT_DOUBLE_EQ(judge.link().value_or(0), much / 0.1);
}

TEST(EncodingTuner, OfLongMessagesFewAreEnough) {
  SeenTransfers receiver;
  constexpr std::size_t long_one = std::size_t{300} << 10;
  EXPECT_FALSE(receiver.add(long_one, 1));
  EXPECT_FALSE(receiver.add(long_one, 0.1));
  const auto report = receiver.add(long_one, 0.1);
  ASSERT_TRUE(report);
  EXPECT_DOUBLE_EQ(report->seconds_per_byte, 0.1 / long_one);
}

TEST(EncodingTuner, EncodingGoesOnWhereItPays) {
  Pair pair;
  EXPECT_EQ(pair.encoded_of(10'000, {0, 1e-3}, {8e-4, 5e-4}), 10'000 - 6 - 96);
}

TEST(EncodingTuner, ItIsMeasuredNoLongerThanUntilItIsClear) {
  Pair pair;
  pair.encoded_of(580, {0, 1e-3}, {6e-4, 5e-4});
  EXPECT_EQ(pair.judge().why_unmodified(), Reason::measuring);
  EXPECT_GE(pair.encoded_of(10'000, {0, 1e-3}, {6e-4, 5e-4}), 10'000 - 64);
  EXPECT_EQ(pair.judge().why_unmodified(), Reason::too_slow);
  Pair of_long_messages;
  of_long_messages.bytes = std::size_t{1} << 20;
  EXPECT_GE(of_long_messages.encoded_of(10'000, {0, 1e-2}, {6e-3, 5e-3}), 10'000 - 3 - 16);
}

TEST(EncodingTuner, ASmallLossOfLongMessagesIsFoundOut) {
  Pair pair;
  pair.bytes = std::size_t{1} << 20;
  EXPECT_LT(pair.encoded_of(20'000, {0, 1e-2}, {1.05e-2, 5e-3}), 1500);
}

TEST(EncodingTuner, EncodingIsGivenUpWhereItCostsMore) {
  Pair pair;
  const int encoded = pair.encoded_of(20'000, {0, 1e-3}, {1.1e-3, 5e-4});
  EXPECT_GT(encoded, 64);
  EXPECT_LT(encoded, 1000);  // now and then it is tried again
}

TEST(EncodingTuner, EncodingIsTakenUpAgainWhereItHasBecomeWorthIt) {
  Pair pair;
  pair.encoded_of(1000, {0, 1e-4}, {2e-4, 1e-4});
  pair.encoded_of(2000, {0, 1e-3}, {2e-4, 1e-4});
  EXPECT_EQ(pair.encoded_of(1000, {0, 1e-3}, {2e-4, 1e-4}), 1000);
}

TEST(EncodingTuner, WhatDidNotPayIsTriedAgainWithMoreHelpers) {
  Pair pair;
  pair.encoded_of(1000, {0, 1e-3}, {0, 2e-3});
  ASSERT_FALSE(pair.judge().link());
  pair.judge().helped_by(1.5);
  pair.judge().helped_by(1.6);
  EXPECT_FALSE(pair.judge().link());
  pair.judge().helped_by(4);
  EXPECT_TRUE(pair.judge().link());
}

TEST(EncodingTuner, HelpersThatComeAndGoDoNotMakeItTryAgain) {
  Pair pair;
  int encoded = 0;
  for (int i = 0; i < 10'000; ++i) {
    encoded += pair.send({0, 1e-3}, {0, 2e-3}) ? 1 : 0;
    pair.judge().helped_by(i % 2 == 0 ? 1 : 4);
  }
  Pair without;
  EXPECT_LT(encoded, without.encoded_of(10'000, {0, 1e-3}, {0, 2e-3}) + 500);
}

TEST(EncodingTuner, ASmallLossIsFoundOutByMoreMessages) {
  Pair pair;
  const int encoded = pair.encoded_of(20'000, {0, 1e-3}, {1.05e-3, 5e-4});
  EXPECT_GT(encoded, 512);
  EXPECT_LT(encoded, 1500);
}

TEST(EncodingTuner, OneSlowReportDoesNotStopIt) {
  Pair pair;
  pair.encoded_of(6, {0, 1e-3}, {});
  EXPECT_EQ(pair.encoded_of(50, {}, {0, 1e-4}), 50);
  EXPECT_EQ(pair.encoded_of(30, {}, {0, 3e-3}), 30);
  EXPECT_EQ(pair.encoded_of(300, {}, {0, 1e-4}), 300);
}

TEST(EncodingTuner, MayBeginWithWhatAnotherOneKnows) {
  Pair first;
  first.encoded_of(6, {0, 1e-3}, {});
  Pair second;
  second.judge().begin_with(first.judge());
  EXPECT_EQ(second.encoded_of(500, {0, 1e-3}, {0, 5e-4}), 500);
}

TEST(EncodingTuner, WhatAnotherOneKnowsIsMeasuredWhereItIsWrong) {
  Pair first;
  first.encoded_of(6, {0, 1e-3}, {});
  Pair second;
  second.judge().begin_with(first.judge());
  const int encoded = second.encoded_of(20'000, {0, 1e-4}, {0, 2e-3});
  EXPECT_LT(encoded, 1000);
  Pair third;
  third.judge().begin_with(first.judge());
  EXPECT_GT(third.encoded_of(20'000, {0, 4e-3}, {0, 2e-3}), 19'000);
}

TEST(EncodingTuner, ReportsMayComeManyAtOnce) {
  EncodingTuner judge;
  SeenTransfers receiver;
  int encoded = 0;
  constexpr int messages = 20'000;
  constexpr int at_once = 128;
  for (int i = 0; i < messages; i += at_once) {
    std::vector<TransferReport> reports;
    for (int k = 0; k < at_once; ++k) {
      const bool is_encoded = judge.link().has_value();
      encoded += is_encoded ? 1 : 0;
      judge.sent({is_encoded, size, 1e-5, false});
      if (auto report = receiver.add(size, is_encoded ? 5e-4 : 1e-3)) reports.push_back(*report);
    }
    for (const TransferReport& report : reports) judge.told(report);
  }
  EXPECT_GT(encoded, messages * 9 / 10);
}

// Ranks that share cores: a message takes what the network takes, and some wait for their sender's
// core beside.
TEST(EncodingTuner, LateSendersAreNotTakenForASlowNetwork) {
  EncodingTuner judge;
  SeenTransfers receiver;
  for (int i = 0; i < 200 && !judge.link(); ++i) {
    judge.sent({false, size, 1e-6});
    const double late = i % 2 == 0 ? 5e-3 : 0;
    if (const auto report = receiver.add(size, 1e-4 + late)) judge.told(*report);
  }
  EXPECT_NEAR(judge.link().value_or(0), size / 1e-4, 1);
}

TEST(EncodingTuner, MessagesThatWereThereCountForTheirPart) {
  EncodingTuner judge;
  SeenTransfers receiver;
  for (int i = 0; i < 200 && !judge.link(); ++i) {
    judge.sent({false, size, 1e-6});
    if (const auto report = receiver.add(size, i % 2 == 0 ? 1e-4 : 1e-6)) judge.told(*report);
  }
  EXPECT_GT(judge.link().value_or(0), 1.9 * size / 1e-4);
}

// Of a program whose ranks share cores: what the network does not show passes between messages.
class Crowd {
 public:
  int encoded_of(int messages, double unmodified, double encoded) {
    int count = 0;
    for (int i = 0; i < messages; ++i) {
      const bool is_encoded = judge_.link().has_value();
      count += is_encoded ? 1 : 0;
      now_ += is_encoded ? encoded : unmodified;
      const bool is_short = is_encoded ? short_while_encoding_ : short_otherwise_;
      judge_.sent({is_encoded, size, 1e-6, false, now_, is_short});
      const auto report = receiver_.add(size, is_encoded ? 5e-4 : 1e-3);
      if (report) judge_.told(*report);
    }
    return count;
  }
  EncodingTuner& judge() { return judge_; }
  void leave_cores() { short_while_encoding_ = short_otherwise_ = false; }
  void need_cores_only_to_encode() { short_otherwise_ = false; }

 private:
  EncodingTuner judge_;
  SeenTransfers receiver_;
  double now_ = 100;
  bool short_while_encoding_ = true;
  bool short_otherwise_ = true;
};

TEST(EncodingTuner, WhereCoresAreShortTheFirstMessagesGoAsTheyAre) {
  Crowd crowd;
  EXPECT_LT(crowd.encoded_of(250, 2e-3, 1e-3), 32);
}

TEST(EncodingTuner, PausesForTheSakeOfCoresDoNotSayThatEncodingDoesNotPay) {
  Crowd crowd;
  crowd.encoded_of(10, 2e-3, 1e-3);
  const auto learned = crowd.judge().experience();
  ASSERT_TRUE(learned);
  EXPECT_TRUE(learned->pays);
  EXPECT_EQ(crowd.judge().why_unmodified(), Reason::shared_cores);
}

// Where the values choose no codec nothing is learned of encoding.
TEST(EncodingTuner, WhereCoresAreShortNothingIsGivenUpThatWasNotTried) {
  EncodingTuner judge;
  SeenTransfers receiver;
  double now = 100;
  int free = 0;
  for (int i = 0; i < 5000; ++i) {
    free += judge.link() ? 1 : 0;
    judge.sent({false, size, 1e-6, false, now += 1e-3, true});
    if (const auto report = receiver.add(size, 1e-3)) judge.told(*report);
  }
  EXPECT_GT(free, 4500);
}

TEST(EncodingTuner, PausesForTheSakeOfCoresEndWhenTheyAreFree) {
  Crowd crowd;
  crowd.encoded_of(20, 2e-3, 1e-3);
  crowd.leave_cores();
  EXPECT_GT(crowd.encoded_of(230, 2e-3, 1e-3), 150);
}

TEST(EncodingTuner, EncodingThatAloneMakesCoresShortGoesOnWhereItShowsItsGain) {
  Crowd crowd;
  crowd.need_cores_only_to_encode();
  EXPECT_GT(crowd.encoded_of(20'000, 1e-3, 0.8e-3), 18'000);
}

TEST(EncodingTuner, WhereCoresAreShortEncodingIsGivenUpThatSlowsTheProgram) {
  Crowd crowd;
  EXPECT_LT(crowd.encoded_of(20'000, 1e-3, 1.2e-3), 1000);
}

TEST(EncodingTuner, WhereCoresAreShortEncodingGoesOnThatShowsItsGain) {
  Crowd crowd;
  EXPECT_GT(crowd.encoded_of(20'000, 1e-3, 0.8e-3), 18'000);
}

TEST(SeenTransfers, ReportsBecomeRare) {
  Pair pair;
  pair.encoded_of(100'000, {0, 1e-3}, {2e-4, 5e-4});
  EXPECT_LT(pair.reports(), 100'000 / 32 + 20);
  EXPECT_GT(pair.reports(), 100'000 / 32 - 20);
}

TEST(SharedTime, OneMessageAfterAnotherTakesItsOwn) {
  SharedTime time;
  EXPECT_NEAR(time.of(10, 11, size), 1, 1e-12);
  EXPECT_NEAR(time.of(15, 15.5, size), 0.5, 1e-12);
}

// Sixteen at once, of which each comes a second after the one before.
TEST(SharedTime, ThoseThatComeAtTheSameTimeTakeTheirPart) {
  SharedTime time;
  for (int i = 1; i <= 16; ++i) EXPECT_NEAR(time.of(10, 10 + i, size), 1, 1e-12);
  EXPECT_NEAR(time.of(30, 31, size), 1, 1e-12);
}

// Sixteen at once, all of which come at the end of sixteen seconds; or one after the other.
TEST(SharedTime, ThoseThatAreStillWaitedForCountHalf) {
  for (const bool at_once : {true, false}) {
    SharedTime time;
    double sum = 0;
    for (std::size_t i = 1; i <= 16; ++i) {
      const double seconds = time.of(10, at_once ? 26 : 10 + static_cast<double>(i), size, 16 - i);
      sum += seconds;
    }
    EXPECT_GT(sum, 0.6 * 16);
    EXPECT_LT(sum, 1.5 * 16);
  }
}

TEST(SharedTime, TheLongerOneTakesMore) {
  SharedTime time;
  EXPECT_NEAR(time.of(10, 11, size), 1, 1e-12);
  EXPECT_NEAR(time.of(10, 14, 3 * size), 3, 1e-12);
}

TEST(SharedTime, WhatWasLongAgoIsForgotten) {
  SharedTime time;
  double now = 10;
  for (int i = 0; i < 64; ++i) EXPECT_NEAR(time.of(10, now += 1, size), 1, 1e-12);
  for (int i = 0; i < 64; ++i) EXPECT_NEAR(time.of(10, now += 5, size), 5, 1e-12);
}

TEST(SharedTime, EmptyMessagesTakeNone) {
  SharedTime time;
  EXPECT_EQ(time.of(10, 11, 0), 0);
}

TEST(EncodingTuner, BeginsWithWhatAnEarlierRunLearned) {
  Pair first;
  EXPECT_FALSE(first.judge().experience());
  first.encoded_of(100, {0, 1e-3}, {0, 0.5e-3});
  const auto learned = first.judge().experience();
  ASSERT_TRUE(learned);
  EXPECT_TRUE(learned->pays);
  EXPECT_DOUBLE_EQ(learned->unmodified * size, 1e-3);
  Pair second;
  second.judge().begin_with(*learned);
  EXPECT_EQ(second.encoded_of(100, {0, 1e-3}, {0, 0.5e-3}), 100);
}

TEST(EncodingTuner, OfAnEarlierRunsHelpersNothingIsKnown) {
  EncodingTuner tuner;
  tuner.begin_with(EncodingTuner::Experience{1e-9, false});
  tuner.helped_by(1);
  tuner.helped_by(8);
  EXPECT_FALSE(tuner.link());
}

TEST(EncodingTuner, TriesLaterWhatDidNotPayInAnEarlierRun) {
  Pair first;
  first.encoded_of(2000, {0, 1e-3}, {0, 2e-3});
  const auto learned = first.judge().experience();
  ASSERT_TRUE(learned);
  EXPECT_FALSE(learned->pays);
  Pair second;
  second.judge().begin_with(*learned);
  EXPECT_EQ(second.encoded_of(100, {0, 1e-3}, {0, 2e-3}), 0);
  EXPECT_GT(second.encoded_of(1000, {0, 1e-3}, {0, 0.5e-3}), 500);
}

}  // namespace
}  // namespace tightwire::policy
