// Waiting with naps where others want the core.
#include "os/waiting/spin_then_sleep.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>

#include <atomic>
#include <thread>

namespace tightwire::os {
namespace {

TEST(SharedCore, WaitThatHadItsCoreTellsOfNobody) {
  SharedCore core;
  core.note(10, 5e-3, 4.9e-3);
  EXPECT_FALSE(core.is_wanted(10));
}

TEST(SharedCore, WaitThatOthersInterruptedTellsOfThemForAWhile) {
  SharedCore core;
  core.note(10, 5e-3, 2e-3);
  EXPECT_TRUE(core.is_wanted(10));
  EXPECT_TRUE(core.is_wanted(10.1));
  EXPECT_FALSE(core.is_wanted(11));
}

TEST(SharedCore, ShortWaitTellsNothing) {
  SharedCore core;
  core.note(10, 50e-6, 1e-6);
  EXPECT_FALSE(core.is_wanted(10));
}

TEST(SharedCore, NapsAreASmallPartOfTheWait) {
  EXPECT_LE(SharedCore::nap(0), 50e-6);
  EXPECT_LE(SharedCore::nap(1e-3), 0.2e-3);
  EXPECT_GT(SharedCore::nap(10e-3), SharedCore::nap(1e-3));
  EXPECT_LE(SharedCore::nap(1000), 2e-3);
}

// Sleeps of the calling thread; being preempted and giving way do not count.
long sleeps() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

void stand_on(int core) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(core, &mask);
  pthread_setaffinity_np(pthread_self(), sizeof mask, &mask);
}

TEST(SpinThenSleep, SleepsWhereAnotherThreadNeedsTheCore) {
  const int core = sched_getcpu();
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    stand_on(core);
    while (!is_over.load(std::memory_order_relaxed)) {
    }
  });
  std::thread waiting([&] {
    stand_on(core);
    const long before = sleeps();
    SpinThenSleep spin;
    while (sleeps() < before + 3) spin.pause();  // for ever, if it never sleeps
    is_over = true;
  });
  waiting.join();
  other.join();
  EXPECT_TRUE(is_over.load());
}

}  // namespace
}  // namespace tightwire::os
