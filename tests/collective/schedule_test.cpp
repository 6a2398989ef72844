#include "collective/transfer/schedule.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace tightwire::collective {
namespace {

// Over when the test says so.
class Made final : public Transfer {
 public:
  bool test() override {
    ++tests;
    if (broken) throw std::runtime_error("broken");
    return over;
  }
  int wait() {
    over = true;
    return value;
  }
  [[nodiscard]] Awaiting<Made> transferred() { return {*this}; }

  bool over = false;
  bool broken = false;
  int value = 0;
  int tests = 0;
};

Schedule<int> sum_of(Made& first, Made& second) {
  int sum = co_await first.transferred();
  sum += co_await second.transferred();
  co_return sum;
}

Schedule<> twice(Made& first, Made& second, std::vector<int>& sums) {
  sums.push_back(co_await sum_of(first, second));
  sums.push_back(co_await sum_of(first, second));
}

struct Transfers {
  Made first;
  Made second;
  std::vector<int> sums;
  Progress progress;

  Transfers() {
    first.value = 1;
    second.value = 2;
  }
};

TEST(Schedule, RunsToTheEndWhereItMayWaitWithoutAskingForTransfers) {
  Transfers made;
  Schedule<> schedule = twice(made.first, made.second, made.sums);
  EXPECT_TRUE(schedule.advance(made.progress, true));
  EXPECT_EQ(made.sums, (std::vector{3, 3}));
  EXPECT_EQ(made.first.tests + made.second.tests, 0);
}

TEST(Schedule, StopsAtATransferThatIsNotOverAndGoesOnFromThere) {
  Transfers made;
  Schedule<> schedule = twice(made.first, made.second, made.sums);
  EXPECT_FALSE(schedule.advance(made.progress, false));
  made.first.over = true;
  EXPECT_FALSE(schedule.advance(made.progress, false));
  EXPECT_TRUE(made.sums.empty());
  made.second.over = true;
  EXPECT_TRUE(schedule.advance(made.progress, false));
  EXPECT_EQ(made.sums, (std::vector{3, 3}));
}

TEST(Schedule, MayBeWaitedForAfterItWasMovedOn) {
  Transfers made;
  Schedule<> schedule = twice(made.first, made.second, made.sums);
  made.first.over = true;
  EXPECT_FALSE(schedule.advance(made.progress, false));
  EXPECT_TRUE(schedule.advance(made.progress, true));
  EXPECT_EQ(made.sums.size(), 2U);
  EXPECT_TRUE(schedule.advance(made.progress, false)) << "at the end it stays there";
}

TEST(Schedule, ThrowsWhatATransferThrew) {
  Transfers made;
  Schedule<> schedule = twice(made.first, made.second, made.sums);
  EXPECT_FALSE(schedule.advance(made.progress, false));
  made.first.broken = true;
  EXPECT_THROW(static_cast<void>(schedule.advance(made.progress, false)), std::runtime_error);
  EXPECT_TRUE(made.sums.empty());
}

// Destroyed with the schedule, innermost first.
struct Trace {
  std::vector<std::string>& names;
  std::string name;
  ~Trace() { names.push_back(name); }
};

Schedule<> inner(Made& transfer, std::vector<std::string>& names) {
  const Trace trace{names, "inner"};
  co_await transfer.transferred();
}

Schedule<> outer(Made& transfer, std::vector<std::string>& names) {
  const Trace trace{names, "outer"};
  co_await inner(transfer, names);
}

TEST(Schedule, GivenUpInTheMiddleDestroysWhatItHolds) {
  Transfers made;
  std::vector<std::string> names;
  {
    Schedule<> schedule = outer(made.first, names);
    EXPECT_FALSE(schedule.advance(made.progress, false));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"inner", "outer"}));
}

}  // namespace
}  // namespace tightwire::collective
