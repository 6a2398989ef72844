#include "runtime/crew/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "os/cores/affinity.h"
#include "runtime/crew/in_order.h"

namespace tightwire::runtime {
namespace {

constexpr Crew::Limits two_anywhere{2, true};
constexpr Crew::Limits many_anywhere{16, true};
constexpr Crew::Limits two_where_idle{2, false};

// The sum of a row that depends on the item, by way of a place that items share.
struct Sums {
  explicit Sums(std::size_t count, std::size_t window = 4) : places(window) {
    items.count = count;
    items.window = window;
    items.work = [this](std::size_t item) {
      std::size_t sum = 0;
      for (std::size_t i = 0; i < 2000; ++i) sum += item ^ i;
      places[item % places.size()] = sum;
    };
    items.deliver = [this](std::size_t item) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(item, delivered.size());
      delivered.push_back(places[item % places.size()]);
    };
  }

  [[nodiscard]] static std::vector<std::size_t> expected(std::size_t count) {
    std::vector<std::size_t> sums(count);
    for (std::size_t item = 0; item < count; ++item) {
      for (std::size_t i = 0; i < 2000; ++i) sums[item] += item ^ i;
    }
    return sums;
  }

  std::vector<std::size_t> places;
  std::vector<std::size_t> delivered;
  std::thread::id caller = std::this_thread::get_id();
  Crew::Items items;
};

class Helping : public testing::Test {
 protected:
  void SetUp() override {
    if (os::cores_in(os::affinity_mask()) < 2) GTEST_SKIP() << "one core only";
  }
};

// Waits in the caller's first item until another one is taken: by the helper, who else.
std::size_t run_until_helped(Crew& crew, std::size_t count) {
  std::atomic<std::size_t> taken{0};
  Sums sums(count);
  const auto code = sums.items.work;
  sums.items.work = [&](std::size_t item) {
    taken.fetch_add(1);
    taken.notify_all();
    if (std::this_thread::get_id() == sums.caller) taken.wait(1);
    code(item);
  };
  const std::size_t helped = crew.run(sums.items, two_anywhere).by_helpers;
  EXPECT_EQ(sums.delivered, Sums::expected(count));
  return helped;
}

TEST(Crew, DeliversInOrderWhateverTheWindow) {
  for (const Crew::Limits limits : {two_where_idle, two_anywhere, many_anywhere}) {
    Crew crew;
    for (const std::size_t window : {1, 2, 3, 4, 100}) {
      for (const std::size_t count : {0, 1, 2, 3, 5, 64, 500}) {
        Sums sums(count, window);
        EXPECT_LE(crew.run(sums.items, limits).by_helpers, count);
        EXPECT_EQ(sums.delivered, Sums::expected(count)) << window;
      }
    }
  }
}

TEST_F(Helping, IsDoneByAnotherThread) {
  Crew crew;
  for (int repetition = 0; repetition < 20; ++repetition) EXPECT_GE(run_until_helped(crew, 8), 1U);
}

TEST_F(Helping, NeedsASecondCore) {
  const cpu_set_t before = os::affinity_mask();
  cpu_set_t one;
  CPU_ZERO(&one);
  std::size_t core = 0;
  while (!CPU_ISSET(core, &before)) ++core;
  CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  Crew crew;
  EXPECT_EQ(crew.threads(two_anywhere), 1U);
  Sums sums(50);
  EXPECT_EQ(crew.run(sums.items, two_anywhere).by_helpers, 0U);
  EXPECT_EQ(sums.delivered, Sums::expected(50));
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(crew.threads(two_anywhere), 2U);
}

TEST_F(Helping, NeedsASpareCoreUnlessForced) {
  // Nothing is known yet of what the cores do.
  Crew crew;
  EXPECT_EQ(crew.threads(two_where_idle), 2U);
  EXPECT_FALSE(crew.has_helpers(two_where_idle));
  EXPECT_TRUE(crew.has_helpers(two_anywhere));
  Sums sums(50);
  const auto code = sums.items.work;
  sums.items.work = [&](std::size_t item) {
    while (item == 0 && crew.threads(two_where_idle) > 1) std::this_thread::yield();
    code(item);
  };
  EXPECT_EQ(crew.run(sums.items, two_where_idle).by_helpers, 0U);
  EXPECT_EQ(sums.delivered, Sums::expected(50));
}

// One more at each look, until there are so many.
std::function<std::size_t()> one_more_of(std::size_t end) {
  return [end, known = std::size_t{0}]() mutable { return known = std::min(known + 1, end); };
}

TEST(Crew, DeliversWhatBecomesKnown) {
  for (const Crew::Limits limits : {two_where_idle, two_anywhere, many_anywhere}) {
    Crew crew;
    for (const std::size_t window : {1, 2, 3, 100}) {
      for (const std::size_t known : {1, 2, 5, 64, 300}) {
        Sums sums(300, window);
        sums.items.known = one_more_of(known);
        EXPECT_LE(crew.run(sums.items, limits).by_helpers, known);
        EXPECT_EQ(sums.delivered, Sums::expected(known)) << window;
      }
    }
  }
}

// Looks go on while a helper is at its item: it ends that only once the caller has looked again.
TEST_F(Helping, LooksWhileHelpersWork) {
  Crew crew;
  std::atomic<std::size_t> looks{0};
  Sums sums(40, 8);
  const auto code = sums.items.work;
  sums.items.work = [&](std::size_t item) {
    if (std::this_thread::get_id() != sums.caller) {
      const std::size_t before = looks;
      while (looks < before + 2) std::this_thread::yield();
    }
    code(item);
  };
  const auto more = one_more_of(40);
  sums.items.known = [&] {
    ++looks;
    return more();
  };
  crew.run(sums.items, two_anywhere);
  EXPECT_EQ(sums.delivered, Sums::expected(40));
}

// Whoever has enough helpers works on none itself: it looks again once the last one is taken.
TEST(InOrder, LeavesWhatComesToEnoughHelpers) {
  std::atomic<std::size_t> taken{0};
  std::atomic<int> by_caller{0};
  Sums sums(40, 8);
  const auto code = sums.items.work;
  sums.items.work = [&](std::size_t item) {
    if (std::this_thread::get_id() == sums.caller) ++by_caller;
    taken.fetch_add(1);
    taken.notify_all();
    code(item);
  };
  sums.items.known = [&, known = std::size_t{0}]() mutable {
    for (std::size_t now = taken; now < known; now = taken) taken.wait(now);
    return known = std::min<std::size_t>(known + 1, 40);
  };
  InOrder in_order(sums.items, 6);
  std::thread helper([&] {
    const InOrder::Helping helping(in_order);
    do {
      while (in_order.work_on_one()) {
      }
    } while (in_order.wait_for_next());
  });
  in_order.work_and_deliver();
  helper.join();
  EXPECT_EQ(by_caller, 0);
  EXPECT_EQ(sums.delivered, Sums::expected(40));
}

TEST_F(Helping, EndsWhereALookFails) {
  Crew crew;
  Sums sums(64);
  sums.items.known = [known = std::size_t{0}]() mutable {
    if (++known == 9) throw std::runtime_error("nine");
    return known;
  };
  EXPECT_THROW(crew.run(sums.items, many_anywhere), std::runtime_error);
  EXPECT_LE(sums.delivered.size(), 8U);
  EXPECT_GE(run_until_helped(crew, 8), 1U) << "it is there for the next one";
}

double cpu_seconds(clockid_t clock) {
  timespec time{};
  EXPECT_EQ(clock_gettime(clock, &time), 0);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST_F(Helping, TakesNoneOfACoreBetweenCalls) {
  const auto of_helpers = [] {
    return cpu_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  };
  Crew crew;
  EXPECT_GE(run_until_helped(crew, 8), 1U);
  const double before = of_helpers();
  const double begin = cpu_seconds(CLOCK_THREAD_CPUTIME_ID);
  double computed = 0;
  while (computed < 0.3) computed = cpu_seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  EXPECT_LT(of_helpers() - before, computed / 10);
}

TEST_F(Helping, EndsWhereADeliveryFails) {
  Crew crew;
  for (int repetition = 0; repetition < 50; ++repetition) {
    Sums sums(64);
    const auto deliver = sums.items.deliver;
    sums.items.deliver = [&](std::size_t item) {
      if (item == 7) throw std::runtime_error("seven");
      deliver(item);
    };
    EXPECT_THROW(crew.run(sums.items, two_anywhere), std::runtime_error);
    EXPECT_EQ(sums.delivered.size(), 7U);
  }
  EXPECT_GE(run_until_helped(crew, 8), 1U) << "it is there for the next one";
}

TEST_F(Helping, ServesOneCallAtATime) {
  Crew crew;
  std::atomic<int> wrong{0};
  const auto call = [&] {
    for (int i = 0; i < 50; ++i) {
      Sums sums(20);
      crew.run(sums.items, two_anywhere);
      if (sums.delivered != Sums::expected(20)) ++wrong;
    }
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tightwire::runtime
