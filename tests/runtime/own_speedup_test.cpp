#include "runtime/crew/own_speedup.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "os/cores/affinity.h"

namespace tightwire::runtime {
namespace {

TEST(OwnSpeedup, IsOneWithoutHelpers) {
  Crew crew;
  OwnSpeedup speedup;
  EXPECT_EQ(speedup.last(), 1);
  EXPECT_EQ(speedup.measured(crew, {1, true}), 1);
  EXPECT_EQ(speedup.last(), 1);
}

TEST(OwnSpeedup, IsMeasuredAgainSoonOnlyForOtherThreads) {
  if (os::cores_in(os::affinity_mask()) < 2) GTEST_SKIP() << "needs two cores";
  Crew crew;
  OwnSpeedup speedup;
  const double two = speedup.measured(crew, {2, true});
  EXPECT_GE(two, 1);
  EXPECT_LE(two, 2);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(speedup.measured(crew, {2, true}), two);
  EXPECT_EQ(speedup.measured(crew, {1, true}), 1);
}

// A call of another thread, which has the helpers until it ends.
class OtherCall {
 public:
  explicit OtherCall(Crew& crew) : thread_([this, &crew] { run(crew); }) {
    for (int working = working_; working < 2; working = working_) working_.wait(working);
  }
  OtherCall(const OtherCall&) = delete;
  OtherCall& operator=(const OtherCall&) = delete;
  ~OtherCall() {
    ends_ = true;
    ends_.notify_all();
    thread_.join();
  }

 private:
  // The caller and its helper have an item each.
  void run(Crew& crew) {
    const auto work = [this](std::size_t) {
      ++working_;
      working_.notify_all();
      ends_.wait(false);
    };
    crew.run({2, 2, work, [](std::size_t) {}}, {2, true});
  }

  std::atomic<int> working_{0};
  std::atomic<bool> ends_{false};
  std::thread thread_;
};

int measurements = 0;

double count_measurements(std::size_t /*threads*/, const policy::WorkTogether& together) {
  together(2, [](std::size_t) {});
  return ++measurements;
}

TEST(OwnSpeedup, StaysAsItWasWhileAnotherCallHasTheHelpers) {
  if (os::cores_in(os::affinity_mask()) < 2) GTEST_SKIP() << "needs two cores";
  Crew crew;
  measurements = 0;
  OwnSpeedup speedup(count_measurements);
  EXPECT_EQ(speedup.measured(crew, {2, true}), 1);
  // For other threads than last it is due at once.
  EXPECT_EQ(speedup.measured(crew, {3, true}), 2);
  {
    const OtherCall other(crew);
    EXPECT_EQ(speedup.measured(crew, {4, true}), 2);
    EXPECT_EQ(speedup.last(), 2);
  }
  EXPECT_EQ(speedup.measured(crew, {5, true}), 4);
  EXPECT_EQ(speedup.last(), 4);
}

// So that calls which find the helpers taken do not spend their time on it again and again.
TEST(OwnSpeedup, IsNotMeasuredAgainAtOnceWhereThatWasInVain) {
  if (os::cores_in(os::affinity_mask()) < 2) GTEST_SKIP() << "needs two cores";
  Crew crew;
  measurements = 0;
  OwnSpeedup speedup(count_measurements);
  {
    const OtherCall other(crew);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(speedup.measured(crew, {2, true}), 1);
  }
  EXPECT_EQ(measurements, 1);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (speedup.measured(crew, {2, true}) == 1 && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  EXPECT_GT(speedup.last(), 1);
}

}  // namespace
}  // namespace tightwire::runtime
