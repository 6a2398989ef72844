#include "policy/tuning/own_speed.h"

#include <gtest/gtest.h>

namespace tightwire::policy {
namespace {

constexpr int enough = 16;

TEST(OwnSpeed, IsAsTheModelSaysUntilSomeIsKnown) {
  OwnSpeed speed;
  for (const double took : {9e-3, 0.5e-3, 0.4e-3}) speed.add(1e-3, took);
  EXPECT_EQ(speed.factor(), 1);
  EXPECT_FALSE(speed.is_known());
  speed.add(1e-3, 0.6e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 0.5);
  EXPECT_TRUE(speed.is_known());
}

TEST(OwnSpeed, TheFirstDoNotSayThatItIsSlow) {
  OwnSpeed speed;
  for (int i = 0; i < enough - 1; ++i) speed.add(1e-3, 2e-3);
  EXPECT_EQ(speed.factor(), 1);
  EXPECT_TRUE(speed.is_known());
  speed.add(1e-3, 2e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 2);
}

TEST(OwnSpeed, IsCorrectedWhenMoreIsKnown) {
  OwnSpeed speed;
  for (int i = 0; i < enough - 1; ++i) speed.add(1e-3, i < 4 ? 0.5e-3 : 0.8e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 0.5);
  speed.add(1e-3, 0.8e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 0.8);
}

TEST(OwnSpeed, TimesInWhichOthersHadTheCoreDoNotCount) {
  OwnSpeed speed;
  for (int i = 0; i < enough; ++i) speed.add(1e-3, i % 2 == 0 ? 20e-3 : 0.8e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 0.8);
}

TEST(OwnSpeed, TheUsualTimeIsTheMedian) {
  OwnSpeed speed;
  EXPECT_EQ(speed.usual_factor(), 1);
  for (int i = 0; i < enough; ++i) speed.add(1e-3, i % 3 == 0 ? 0.8e-3 : 1.5e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 0.8);
  EXPECT_DOUBLE_EQ(speed.usual_factor(), 1.5);
}

TEST(OwnSpeed, FollowsAMachineThatChanges) {
  OwnSpeed speed;
  for (int i = 0; i < enough; ++i) speed.add(1e-3, 1e-3);
  for (int i = 0; i < enough; ++i) speed.add(1e-3, 2e-3);
  EXPECT_DOUBLE_EQ(speed.factor(), 2);
}

TEST(OwnSpeed, IsNeverBeyondReason) {
  OwnSpeed speed;
  for (int i = 0; i < enough; ++i) speed.add(1e-3, 1e-9);
  EXPECT_EQ(speed.factor(), 0.25);
  for (int i = 0; i < enough; ++i) speed.add(1e-6, 1);
  EXPECT_EQ(speed.factor(), 32);
}

}  // namespace
}  // namespace tightwire::policy
