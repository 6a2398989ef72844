// Waiting that hands the core on where others want it.
#include "os/waiting/spin_then_sleep.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

TEST(SharedCore, YieldsSufficeWhereOthersHaveTheCoreInThem) {
  SharedCore core;
  EXPECT_TRUE(core.yields_suffice());
  for (int i = 0; i < 100; ++i) {
    core.yielded(i % 2 == 0 ? 0.5e-6 : 100e-6);
    core.add(110e-6, 10e-6);  // the other half in MPI's looks
  }
  EXPECT_TRUE(core.yields_suffice());
}

TEST(SharedCore, YieldsDoNotSufficeWhereTheSchedulerTakesTheCore) {
  SharedCore core;
  for (int i = 0; i < 1000; ++i) {
    core.yielded(0.5e-6);
    core.add(5e-6, 5e-6);
    if (i % 100 == 0) core.add(3e-3, 0);
  }
  EXPECT_FALSE(core.yields_suffice());
}

// It does so at any moment, in a yield, too.
TEST(SharedCore, YieldsInWhichTheSchedulerTakesTheCoreByChanceDoNotSuffice) {
  SharedCore core;
  for (int i = 0; i < 1000; ++i) {
    const double taken = i % 100 == 0 ? 3e-3 : 0;
    core.yielded(i % 1000 == 0 ? 0.5e-6 + taken : 0.5e-6);
    core.add(5e-6 + taken, 5e-6);
  }
  EXPECT_FALSE(core.yields_suffice());
}

TEST(SharedCore, WhetherYieldsSufficeIsLearnedAnew) {
  SharedCore core;
  for (int i = 0; i < 100; ++i) {
    core.yielded(0.5e-6);
    core.add(3e-3, 5e-6);
  }
  EXPECT_FALSE(core.yields_suffice());
  for (int i = 0; i < 2000; ++i) {
    core.yielded(100.5e-6);
    core.add(101e-6, 1e-6);
    core.yielded(0.5e-6);
  }
  EXPECT_TRUE(core.yields_suffice());
}

TEST(SharedCore, NapsAreASmallPartOfTheWait) {
  EXPECT_LE(SharedCore::nap(0), 50e-6);
  EXPECT_LE(SharedCore::nap(1e-3), 0.2e-3);
  EXPECT_GT(SharedCore::nap(10e-3), SharedCore::nap(1e-3));
  EXPECT_LE(SharedCore::nap(1000), 2e-3);
}

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
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

void work_for(double time) {
  const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + time;
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

// A process that works all the time, on one core. One of another session has turns of its own on
// many systems: sched_yield() does not give way to it.
class Worker {
 public:
  enum class Session : bool { same, other };
  Worker(int core, Session session) : pid_(fork()) {
    if (pid_ != 0) return;
    if (session == Session::other) setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    stand_on(core);
    for (volatile bool goes_on = true; goes_on;) {
    }
  }
  ~Worker() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] double worked() const {
    clockid_t clock{};
    return clock_getcpuclockid(pid_, &clock) == 0 ? seconds(clock) : -1;
  }

 private:
  pid_t pid_;
};

// On the worker's core.
void wait_beside(Worker::Session session, const std::function<void(const Worker&)>& wait) {
  const int core = sched_getcpu();
  const Worker worker(core, session);
  std::thread([&] {
    stand_on(core);
    wait(worker);
  }).join();
}

// What looks alone take would be as much.
void expect_core_is_handed_on(Worker::Session session) {
  wait_beside(session, [](const Worker& worker) {
    SpinThenSleep spin;
    const double before = worker.worked();
    ASSERT_GE(before, 0);
    const double own_before = seconds(CLOCK_THREAD_CPUTIME_ID);
    while (worker.worked() < before + 0.2) spin.pause();
    EXPECT_LT(seconds(CLOCK_THREAD_CPUTIME_ID) - own_before, 0.1);
  });
}

TEST(SpinThenSleep, HandsTheCoreOnToOnesOwnSession) {
  expect_core_is_handed_on(Worker::Session::same);
}

TEST(SpinThenSleep, HandsTheCoreOnToOtherSessions) {
  expect_core_is_handed_on(Worker::Session::other);
}

// Where it sleeps at all.
TEST(SpinThenSleep, DoesNotSleepWhileItsLooksMoveBytes) {
  wait_beside(Worker::Session::other, [](const Worker& worker) {
    SpinThenSleep spin;
    const double end = worker.worked() + 0.2;
    const long at_first = sleeps();
    while (sleeps() < at_first + 3 && worker.worked() < end) spin.pause();
    const long before = sleeps();
    for (int look = 0; look < 5; ++look) {
      work_for(50e-6);
      spin.pause();
    }
    EXPECT_EQ(sleeps(), before);
  });
}

}  // namespace
}  // namespace tightwire::os
