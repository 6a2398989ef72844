// Waiting with naps where others want the core.
#include "os/waiting/spin_then_sleep.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <atomic>
#include <functional>
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

// On a core that another thread needs all the time.
void wait_beside_another(const std::function<void()>& wait) {
  const int core = sched_getcpu();
  std::atomic<bool> is_over{false};
  std::thread other([&] {
    stand_on(core);
    while (!is_over.load(std::memory_order_relaxed)) {
    }
  });
  std::thread waiting([&] {
    stand_on(core);
    wait();
    is_over = true;
  });
  waiting.join();
  other.join();
}

void look_until_it_sleeps(SpinThenSleep& spin) {
  const long before = sleeps();
  while (sleeps() < before + 3) spin.pause();  // for ever, if it never sleeps
}

void work_for(double seconds) {
  const auto own = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const double end = own() + seconds;
  while (own() < end) {
  }
}

TEST(SpinThenSleep, SleepsWhereAnotherThreadNeedsTheCore) {
  bool has_slept = false;
  wait_beside_another([&] {
    SpinThenSleep spin;
    look_until_it_sleeps(spin);
    has_slept = true;
  });
  EXPECT_TRUE(has_slept);
}

TEST(SpinThenSleep, SleepsAfterYieldsToo) {
  bool has_slept = false;
  wait_beside_another([&] {
    SpinThenSleep spin(SpinThenSleep::Naps::after_yields);
    look_until_it_sleeps(spin);
    has_slept = true;
  });
  EXPECT_TRUE(has_slept);
}

TEST(SpinThenSleep, DoesNotSleepWhileItsLooksMoveBytes) {
  long slept = -1;
  wait_beside_another([&] {
    SpinThenSleep spin;
    look_until_it_sleeps(spin);
    const long before = sleeps();
    for (int look = 0; look < 5; ++look) {
      work_for(50e-6);
      spin.pause();
    }
    slept = sleeps() - before;
  });
  EXPECT_EQ(slept, 0);
}

}  // namespace
}  // namespace tightwire::os
