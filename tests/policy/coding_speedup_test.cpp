#include "policy/tuning/coding_speedup.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "policy/cost/helpers.h"
#include "policy/cost/lanes.h"
#include "policy/cost/schedule.h"
#include "policy/message.h"

namespace tightwire::policy {
namespace {

using Work = std::function<void(std::size_t)>;

TEST(MeasuredSpeedup, IsNeverBelowOneNorAboveTheThreads) {
  std::size_t done = 0;
  const auto slowly = [&](std::size_t pieces, const Work& work) {
    for (std::size_t piece = 0; piece < pieces; ++piece, ++done) work(piece);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  EXPECT_EQ(measure_coding_speedup(4, slowly), 1);
  EXPECT_GE(done, 4U);
  EXPECT_EQ(measure_coding_speedup(4, [](std::size_t, const Work&) {}), 4);
}

TEST(MeasuredSpeedup, TellsHowMuchLongerOneThreadTakes) {
  const auto half = [](std::size_t pieces, const Work& work) {
    for (std::size_t piece = 0; piece < pieces / 2; ++piece) work(piece);
  };
  // Others may have the core for a while.
  double measured = 0;
  for (int i = 0; i < 20 && std::abs(measured - 2) > 0.5; ++i) {
    measured = measure_coding_speedup(8, half);
  }
  EXPECT_NEAR(measured, 2, 0.5);
}

TEST(SpeedupOfACall, IsThatOfAsManyThreadsAsItHasWorkFor) {
  EXPECT_EQ(coding_speedup_of_call(6, 32 << 20), 6);
  EXPECT_EQ(coding_speedup_of_call(6, 256 << 10), 2);
  EXPECT_EQ(coding_speedup_of_call(6, 1000), 1);
  EXPECT_EQ(coding_speedup_of_call(0, 32 << 20), 1);
}

// The model with helpers

constexpr std::size_t large = 32 << 20;
constexpr Plan pipelined{Tier::bounded, codec::Id::bounded, true};

Facts facts(Operation operation, double gigabits, double speedup, int ranks = 4) {
  return {operation, large, ranks, {20e-6, gigabits * 1e9 / 8}, speedup};
}

Speeds speeds(codec::Id codec = codec::Id::bounded) {
  return speeds_of(codec, codec::ElementType::float32, 6);
}

Schedule best(const Facts& facts) {
  settings::Settings settings;
  settings.mode = settings::Mode::adaptive_pipelined;
  settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  return schedule(settings, pipelined, facts, speeds());
}

TEST(ModelWithHelpers, TheMoreTheySpeedUpTheLessTimeItTakes) {
  for (int number = 0; number < static_cast<int>(operation_count); ++number) {
    const auto operation = static_cast<Operation>(number);
    for (const double gigabits : {1.0, 10.0, 100.0, 400.0}) {
      double before = best(facts(operation, gigabits, 1)).seconds;
      for (const double speedup : {1.001, 1.5, 2.0, 4.0, 16.0, 64.0}) {
        const double now = best(facts(operation, gigabits, speedup)).seconds;
        EXPECT_LE(now, before) << number << " at " << gigabits << " with " << speedup;
        before = now;
      }
    }
  }
}

// On one core the codec is slower than such a link.
TEST(ModelWithHelpers, FastLinksPayWithThem) {
  for (const Operation operation : {Operation::bcast, Operation::allreduce}) {
    const Facts alone = facts(operation, 100, 1);
    EXPECT_GT(best(alone).seconds, raw_seconds(alone));
    EXPECT_LT(best(facts(operation, 100, 8)).seconds, gain_to_start * raw_seconds(alone));
  }
}

TEST(CodingSpeedup, OfAnyNumberOfThreadsFollowsFromThatOfSome) {
  const settings::CodingSpeedups known{{{2, 1.5}, {6, 3.5}}};
  EXPECT_EQ(known_coding_speedup(known, 1), 1);
  EXPECT_EQ(known_coding_speedup(known, 2), 1.5);
  EXPECT_DOUBLE_EQ(known_coding_speedup(known, 4), 2.5);
  EXPECT_EQ(known_coding_speedup(known, 6), 3.5);
  EXPECT_EQ(known_coding_speedup(known, 100), 3.5);
  EXPECT_DOUBLE_EQ(known_coding_speedup({{{5, 3}}}, 3), 2);
}

// TCP takes the calling thread's core, whoever codes.
TEST(ModelWithHelpers, WhatMovesTakesACore) {
  const double moving = core_seconds_per_byte(0) * large / speeds().ratio;
  for (const double speedup : {16.0, 64.0}) {
    EXPECT_GT(best(facts(Operation::bcast, 400, speedup, 2)).seconds, moving);
  }
  EXPECT_GT(compressed_seconds(facts(Operation::allgather, 400, 1000, 2), speeds(),
                               Algorithm::automatic, 1000),
            2 * moving);
}

TEST(ModelWithHelpers, SomeWorkIsTheCallingThreadsAlone) {
  const auto seconds = [](Operation operation, double speedup, Algorithm algorithm,
                          const Speeds& speeds, std::size_t chunks) {
    return compressed_seconds(facts(operation, 100, speedup), speeds, algorithm, chunks);
  };
  const auto same = [&](Operation operation, Algorithm algorithm, const Speeds& speeds,
                        std::size_t chunks) {
    return seconds(operation, 8, algorithm, speeds, chunks) ==
           seconds(operation, 1, algorithm, speeds, chunks);
  };
  EXPECT_TRUE(same(Operation::scan, Algorithm::automatic, speeds(), 32));
  EXPECT_TRUE(same(Operation::reduce, Algorithm::tree, speeds(), 32));
  EXPECT_FALSE(same(Operation::reduce, Algorithm::ring, speeds(), 32));
  // One chunk: nobody else has work.
  EXPECT_TRUE(same(Operation::allreduce, Algorithm::ring, speeds(), 1));
  // Only `bounded` merges without MPI.
  EXPECT_TRUE(same(Operation::reduce_scatter, Algorithm::ring, speeds(codec::Id::exact), 32));
  EXPECT_FALSE(same(Operation::reduce_scatter, Algorithm::ring, speeds(), 32));
}

// Each rank of a host has its own slice, and its own helpers.
TEST(ModelWithHelpers, OverLanesTheyShareTheChunksOfASlice) {
  const auto seconds = [](double speedup, const Speeds& speeds, std::size_t chunks) {
    const LaneFacts lanes{2, 2, 2, 1};
    return lane_seconds(facts(Operation::reduce, 100, speedup), lanes, speeds, chunks);
  };
  EXPECT_LT(seconds(4, speeds(), 32), 0.6 * seconds(1, speeds(), 32));
  EXPECT_EQ(seconds(4, speeds(), 1), seconds(1, speeds(), 1));
  // Only `bounded` merges without MPI.
  const Speeds exact = speeds(codec::Id::exact);
  EXPECT_GT(seconds(4, exact, 32), 0.6 * seconds(1, exact, 32));
}

// In one chunk each.
TEST(ModelWithHelpers, TheRootOfAScatterEncodesSeveralBlocksAtOnce) {
  const auto seconds = [](Operation operation, double speedup) {
    Facts call = facts(operation, 400, speedup, 128);
    call.network.latency = 2e-6;
    return compressed_seconds(call, speeds(), Algorithm::automatic, 1);
  };
  EXPECT_LT(seconds(Operation::scatter, 4), 0.6 * seconds(Operation::scatter, 1));
  EXPECT_EQ(seconds(Operation::gather, 4), seconds(Operation::gather, 1));
}

TEST(ModelWithHelpers, MessagesInChunksTakeLessTime) {
  const codec::Prediction slow{codec::Id::bounded, 6, 8e-3, 8e-3};
  MessageFacts message{large, 100e9 / 8, {32, 32}};
  const double alone = message_seconds(slow, message, 32);
  const double whole = message_seconds(slow, message, 1);
  message.coding_speedup = 4;
  EXPECT_LT(message_seconds(slow, message, 32), alone / 2);
  EXPECT_EQ(message_seconds(slow, message, 1), whole);
  message.coding_speedup = 1000;
  EXPECT_GT(message_seconds(slow, message, 32), core_seconds_per_byte(0) * large / 6);
}

}  // namespace
}  // namespace tightwire::policy
