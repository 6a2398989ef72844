#include "p2p/state/paced_look.h"

#include <gtest/gtest.h>

#include <chrono>

namespace tightwire::p2p {
namespace {

using namespace std::chrono_literals;

// Time passes only where a test says so.
struct Clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;
  static time_point now() { return time_point(passed); }
  static inline duration passed{};
};

// How many looks `calls` make that come every `between`, where a look takes `cost`.
int looks(int calls, Clock::duration between, Clock::duration cost) {
  Clock::passed = 1h;
  PacedLook<Clock> paced;
  int count = 0;
  for (int i = 0; i < calls; ++i) {
    paced([&] {
      ++count;
      Clock::passed += cost;
    });
    Clock::passed += between;
  }
  return count;
}

TEST(PacedLook, CheapOnesAreNotPaced) {
  EXPECT_EQ(looks(1000, 100ns, 200ns), 1000);
  EXPECT_EQ(looks(1000, 100ns, 2us), 1000);
}

TEST(PacedLook, DearOnesTakeAPartOfTheTime) {
  EXPECT_EQ(looks(1600, 10us, 100us), 10);
  EXPECT_EQ(looks(1600, 1us, 100us), 1);
}

TEST(PacedLook, WhatComesSeldomIsNotPaced) {
  EXPECT_EQ(looks(100, 2ms, 100us), 100);
}

TEST(PacedLook, AnInterruptedOneDoesNotStopTheOthers) {
  EXPECT_EQ(looks(100, 51ms, 1s), 100);
  EXPECT_EQ(looks(100, 25ms, 1s), 50);
}

}  // namespace
}  // namespace tightwire::p2p
