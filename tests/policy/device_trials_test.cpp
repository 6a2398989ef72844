#include <gtest/gtest.h>

#include "policy/device/trials.h"

namespace tightwire::policy {
namespace {

constexpr DeviceTrials::Kind noise{1, 7, codec::ElementType::float32, 1 << 20};

// Messages until the next trial.
int pause_of(DeviceTrials& trials, const DeviceTrials::Kind& kind) {
  int pause = 0;
  while (!trials.begin(kind)) ++pause;
  return pause;
}

TEST(DeviceTrials, WhatPaysIsAlwaysEncoded) {
  DeviceTrials trials;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(trials.begin(noise));
    trials.end(noise, true);
  }
}

TEST(DeviceTrials, WhatDoesNotIsTriedMoreAndMoreSeldom) {
  DeviceTrials trials;
  int last = 0;
  for (int i = 0; i < 20; ++i) {
    const int pause = pause_of(trials, noise);
    EXPECT_GE(pause, last);
    EXPECT_EQ(pause > 0, i > 0);
    last = pause;
    trials.end(noise, false);
  }
  EXPECT_EQ(last, 256);
}

TEST(DeviceTrials, OneThatPaysEndsThePauses) {
  DeviceTrials trials;
  for (int i = 0; i < 10; ++i) {
    pause_of(trials, noise);
    trials.end(noise, false);
  }
  pause_of(trials, noise);
  trials.end(noise, true);
  EXPECT_EQ(pause_of(trials, noise), 0);
  trials.end(noise, false);
  EXPECT_EQ(pause_of(trials, noise), 4);
}

TEST(DeviceTrials, KindsPauseByThemselves) {
  DeviceTrials trials;
  trials.end(noise, false);
  for (const DeviceTrials::Kind& other :
       {DeviceTrials::Kind{2, 7, codec::ElementType::float32, 1 << 20},
        DeviceTrials::Kind{1, 8, codec::ElementType::float32, 1 << 20},
        DeviceTrials::Kind{1, 7, codec::ElementType::float64, 1 << 20},
        DeviceTrials::Kind{1, 7, codec::ElementType::float32, 1 << 21}}) {
    EXPECT_TRUE(trials.begin(other));
  }
  EXPECT_FALSE(trials.begin(noise));
}

TEST(DeviceTrials, ManyKindsTakeBoundedMemory) {
  DeviceTrials trials;
  for (int tag = 0; tag < 10000; ++tag) {
    trials.end({0, tag, codec::ElementType::float32, 1 << 20}, false);
  }
  int paused = 0;
  for (int tag = 0; tag < 10000; ++tag) {
    paused += trials.begin({0, tag, codec::ElementType::float32, 1 << 20}) ? 0 : 1;
  }
  EXPECT_LE(paused, 4096);
  EXPECT_GT(paused, 0);
}

}  // namespace
}  // namespace tightwire::policy
