#include "p2p/state/paced_look.h"

#include <gtest/gtest.h>

#include <chrono>

namespace tightwire::p2p {
namespace {

using namespace std::chrono_literals;
using Duration = std::chrono::nanoseconds;

// Time passes only where a test says so.
struct Clocks {
  static Duration elapsed() { return elapsed_time; }
  static Duration processor() { return processor_time; }
  static inline Duration elapsed_time{};
  static inline Duration processor_time{};
};

// How many looks `calls` make that come every `between`, where a look takes `cost`, and meanwhile
// others run for so long.
int looks(int calls, Duration between, Duration cost, Duration others = 0ns) {
  Clocks::elapsed_time = 1h;
  PacedLook<Clocks> paced;
  int count = 0;
  for (int i = 0; i < calls; ++i) {
    paced([&] {
      ++count;
      Clocks::elapsed_time += cost + others;
      Clocks::processor_time += cost;
    });
    Clocks::elapsed_time += between;
    Clocks::processor_time += between;
  }
  return count;
}

TEST(PacedLook, CheapOnesAreNotPaced) {
  EXPECT_EQ(looks(1000, 100ns, 200ns), 1000);
  EXPECT_EQ(looks(1000, 100ns, 2us), 1000);
}

// The first shows that they may be dear.
TEST(PacedLook, DearOnesTakeAPartOfTheTime) {
  EXPECT_EQ(looks(1600, 10us, 100us), 11);
  EXPECT_EQ(looks(1600, 1us, 100us), 2);
}

TEST(PacedLook, WhatComesSeldomIsNotPaced) {
  EXPECT_EQ(looks(100, 2ms, 100us), 100);
  EXPECT_EQ(looks(100, 51ms, 1s), 100);
}

TEST(PacedLook, ThoseThatLetOthersRunAreNotDear) {
  EXPECT_EQ(looks(1000, 10us, 1us, 4ms), 1000);
}

TEST(PacedLook, OneThatHasBecomeCheapIsNotPacedAnyMore) {
  Clocks::elapsed_time = 1h;
  PacedLook<Clocks> paced;
  int count = 0;
  for (int i = 0; i < 100; ++i) {
    paced([&] {
      const Duration cost = i < 10 ? 100us : 100ns;
      Clocks::elapsed_time += cost;
      Clocks::processor_time += cost;
      ++count;
    });
    Clocks::elapsed_time += 100us;
  }
  EXPECT_GE(count, 80);
}

}  // namespace
}  // namespace tightwire::p2p
