#include "policy/tuning/online_tuner.h"

#include <gtest/gtest.h>

namespace tightwire::policy {
namespace {

constexpr double gigabit = 1e9 / 8;

// A job of some ranks that do the same call again and again; the times are of a machine whose truth
// the model does not know.
class Job {
 public:
  Job(std::size_t bytes, double gigabits) : facts_{Operation::allreduce, bytes, 4, {}} {
    facts_.network = {30e-6, gigabits * gigabit};
    settings_.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  }

  // The data promises this from now on; a compressed call takes so long, and a raw one.
  void set(double ratio, double compressed, double raw) {
    ratio_ = ratio;
    compressed_ = compressed;
    raw_ = raw;
  }

  // Returns whether it was compressed.
  bool call() {
    if (tuner_.round_due()) {
      ++rounds_;
      tuner_.end_round({settings_, plan_, facts_, codec::ElementType::float32},
                       tuner_.measurements(1 / ratio_));
    }
    const bool compressed = tuner_.compress();
    const double seconds = compressed ? compressed_ : raw_;
    tuner_.note(seconds);
    spent_ += seconds;
    return compressed;
  }

  // How many of the calls were compressed.
  int calls(int count) {
    int compressed = 0;
    for (int i = 0; i < count; ++i) compressed += call();
    return compressed;
  }

  [[nodiscard]] double spent() const { return spent_; }
  [[nodiscard]] int rounds() const { return rounds_; }
  [[nodiscard]] const OnlineTuner& tuner() const { return tuner_; }

 private:
  settings::Settings settings_;
  Plan plan_{Tier::bounded, codec::Id::bounded, true, Algorithm::automatic};
  Facts facts_;
  OnlineTuner tuner_;
  double ratio_ = 1;
  double compressed_ = 0;
  double raw_ = 0;
  double spent_ = 0;
  int rounds_ = 0;
};

constexpr std::size_t large = std::size_t{32} << 20;

TEST(OnlineTuner, CompressesWhatCompressesWellAndNeverTriesRaw) {
  Job job(large, 1);
  job.set(50, 20e-3, 600e-3);
  EXPECT_EQ(job.calls(100), 100);
}

TEST(OnlineTuner, LeavesNoiseAloneFromTheFirstCall) {
  for (const double gigabits : {1.0, 10.0}) {
    Job job(large, gigabits);
    job.set(1.02, 0.7 / gigabits, 0.5 / gigabits);
    EXPECT_EQ(job.calls(100), 0) << gigabits;
  }
}

TEST(OnlineTuner, ComesBackWhenTheDataBecomesCompressible) {
  Job job(large, 1);
  job.set(1.02, 700e-3, 500e-3);
  EXPECT_EQ(job.calls(200), 0);
  job.set(8, 80e-3, 500e-3);
  job.calls(40);
  EXPECT_EQ(job.calls(100), 100);
  job.set(1.02, 700e-3, 500e-3);
  job.calls(40);
  EXPECT_EQ(job.calls(20), 0);
}

// The model expects a gain, but on this machine there is none.
TEST(OnlineTuner, BelievesTheClockMoreThanTheModel) {
  Job job(large, 1);
  job.set(4, 900e-3, 600e-3);
  job.calls(16);
  EXPECT_LE(job.calls(200), 20);
}

// The model expects a loss, near enough to be tried, and it is a gain.
TEST(OnlineTuner, TriesWhatIsWithinReach) {
  Job job(large, 25);
  job.set(30, 12e-3, 30e-3);
  job.calls(16);
  EXPECT_EQ(job.calls(50), 50);
}

TEST(OnlineTuner, ACloseRawWayIsMeasured) {
  Job job(large, 10);
  job.set(4, 45e-3, 30e-3);  // the model says 25 ms against 45
  job.calls(16);
  EXPECT_EQ(job.calls(30), 0);
}

// A lucky call now and then does not make up for what the others take.
TEST(OnlineTuner, TheUsualTimeCounts) {
  Job job(large, 10);
  int compressed = 0;
  for (int i = 0; i < 200; ++i) {
    job.set(4, i % 5 == 0 ? 20e-3 : 45e-3, 35e-3);
    compressed += job.call();
  }
  EXPECT_LE(compressed, 30);
}

// What was unlucky once is tried again.
TEST(OnlineTuner, AnUnluckyTrialIsNotBelievedForEver) {
  Job job(large, 10);
  job.set(4, 45e-3, 60e-3);
  job.calls(20);
  job.set(4, 45e-3, 35e-3);
  job.calls(600);
  EXPECT_LE(job.calls(50), 5);
}

TEST(OnlineTuner, ReviewsOfSmallMessagesAreRare) {
  Job job(64 << 10, 10);
  job.set(1.02, 1e-3, 300e-6);
  job.calls(1000);
  // An agreement takes some 160 us, so 30 of them are 1.6 % of 300 ms.
  EXPECT_LE(job.rounds(), 30);
  EXPECT_GE(job.rounds(), 3);
}

TEST(OnlineTuner, ReviewsAreNeverFurtherApartThanAFewCallsOfLargeMessages) {
  Job job(large, 1);
  job.set(1.02, 700e-3, 500e-3);
  job.calls(500);
  EXPECT_LE(job.tuner().calls_to_round(), 32U);
}

TEST(OnlineTuner, ARunOfNoiseCostsNextToNothing) {
  Job job(large, 10);
  job.set(1.01, 120e-3, 80e-3);
  job.calls(50);
  EXPECT_LT(job.spent(), 1.03 * 50 * 80e-3);
}

TEST(OnlineTuner, AllRanksGetTheLargestFindings) {
  const Measurements one{0.5, -3e-3, Measurements::nothing};
  EXPECT_EQ(Measurements::of(one.numbers()).fraction, 0.5);
  OnlineTuner tuner;
  EXPECT_EQ(tuner.measurements(0.25).raw, Measurements::nothing);
  EXPECT_EQ(tuner.measurements(0.25).fraction, 0.25);
}

}  // namespace
}  // namespace tightwire::policy
