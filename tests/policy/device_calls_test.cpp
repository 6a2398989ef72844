// What is remembered of collectives that GPUs may carry out, and what the model says of them.
#include <gtest/gtest.h>

#include <vector>

#include "policy/device/call_memory.h"
#include "policy/device/cost.h"

namespace tightwire::policy {
namespace {

constexpr DeviceTrials::Kind kind{1, 0, codec::ElementType::bytes, 1 << 20};

void go_by_the_host(DeviceCallMemory& calls, int times) {
  for (int i = 0; i < times; ++i) calls.note_host_call(kind, 1);
}

TEST(DeviceCalls, TheHostGoesFirst) {
  DeviceCallMemory calls;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(calls.is_hosts_turn(kind)) << i;
    calls.note_host_call(kind, 1);
  }
  EXPECT_FALSE(calls.is_hosts_turn(kind));
  const DeviceTrials::Kind other{1, 0, codec::ElementType::bytes, 1 << 21};
  EXPECT_TRUE(calls.is_hosts_turn(other));
}

TEST(DeviceCalls, TheHostIsAskedAgainNowAndThen) {
  DeviceCallMemory calls;
  go_by_the_host(calls, 8);
  int turns = 0;
  for (int i = 0; i < 1024; ++i) {
    if (calls.is_hosts_turn(kind)) {
      ++turns;
      calls.note_host_call(kind, 1);
    } else {
      calls.note_call(kind, 1);
    }
  }
  EXPECT_EQ(turns, 4);
}

TEST(DeviceCalls, TimesFallAtOnceAndRiseByAndBy) {
  DeviceCallMemory calls;
  calls.note_call(kind, 4);
  calls.note_call(kind, 2);
  EXPECT_EQ(calls.of(kind).seconds, 2);
  calls.note_call(kind, 6);
  EXPECT_EQ(calls.of(kind).seconds, 3);
  EXPECT_EQ(calls.of(kind).host_seconds, 0);
  calls.give_up(kind);
  EXPECT_EQ(calls.of(kind).seconds, 0);
}

TEST(DeviceCalls, AreTriedAgainAfterPausesWhereTheHostWasQuicker) {
  DeviceCallMemory calls;
  go_by_the_host(calls, 8);
  std::vector<int> trials;
  for (int call = 0; call < 40; ++call) {
    if (!calls.begin(kind, true)) {
      calls.note_host_call(kind, 1);
      continue;
    }
    const PastDeviceCalls past = calls.of(kind);
    if (!calls.is_worth(kind, true, past.seconds, past.host_seconds)) continue;
    trials.push_back(call);
    calls.note_call(kind, 2);
  }
  EXPECT_EQ(trials, (std::vector{0, 6, 16, 34}));
}

TEST(DeviceCalls, ChunksKeepADeviceBusy) {
  EXPECT_EQ(device_chunks(1), 1U);
  EXPECT_EQ(device_chunks(device_chunk_bytes), 1U);
  EXPECT_EQ(device_chunks(device_chunk_bytes + 1), 2U);
}

// On four ranks.
Facts facts(Operation operation, double bandwidth, std::size_t bytes = std::size_t{16} << 20) {
  return {operation, bytes, 4, {20e-6, bandwidth}};
}

TEST(DeviceCalls, PayWhereTheNetworkIsSlowerThanDevicesCode) {
  const DeviceSchedule ring{Algorithm::ring, 1, 8};
  const DeviceSchedule tree{Algorithm::automatic, 4, 8};
  EXPECT_TRUE(pays_on_devices(facts(Operation::allreduce, 1.25e9), ring, 5));
  EXPECT_TRUE(pays_on_devices(facts(Operation::bcast, 12.5e9), tree, 5));
  EXPECT_FALSE(pays_on_devices(facts(Operation::allreduce, 1e12, std::size_t{256} << 10), ring, 5));
  EXPECT_FALSE(pays_on_devices(facts(Operation::allreduce, 1.25e9), ring, 1));
}

TEST(DeviceCalls, DoublingTakesFewerCallsForMoreBytes) {
  const auto of = [](int ranks, std::size_t bytes) {
    return Facts{Operation::allreduce, bytes, ranks, {20e-6, 1.25e9}};
  };
  EXPECT_EQ(doubling_schedule(of(2, 1 << 20)).calls, 3);  // encode, add, decode
  EXPECT_EQ(doubling_schedule(of(3, 1 << 20)).calls, 4);  // for one who stands aside
  EXPECT_EQ(doubling_schedule(of(8, 1 << 20)).calls, 5);
  EXPECT_EQ(doubling_schedule(of(4, 3 * device_chunk_bytes)).calls, 12);
  EXPECT_EQ(ring_schedule(of(8, 1 << 20), 1 << 17).calls, 16);
  const auto is_quicker = [&](int ranks, std::size_t bytes) {
    const Facts facts = of(ranks, bytes);
    return schedule_seconds(facts, doubling_schedule(facts), 5) <
           schedule_seconds(facts, ring_schedule(facts, bytes / static_cast<unsigned>(ranks)), 5);
  };
  EXPECT_TRUE(is_quicker(8, 1 << 20));
  EXPECT_FALSE(is_quicker(8, std::size_t{256} << 20));
}

// All but a Bcast have more to do the more ranks there are.
TEST(DeviceCalls, MovementsCodeWhatTheBusiestRankHas) {
  const auto calls = [](Operation operation, std::size_t chunks) {
    const DeviceSchedule made =
        movement_schedule(facts(operation, 1e9, chunks * device_chunk_bytes));
    EXPECT_EQ(made.chunks, chunks);
    return made.calls;
  };
  EXPECT_EQ(calls(Operation::bcast, 3), 6);
  EXPECT_EQ(calls(Operation::gather, 3), 12);     // encodes one, decodes three
  EXPECT_EQ(calls(Operation::scatter, 3), 14);    // looks at three
  EXPECT_EQ(calls(Operation::allgather, 3), 15);  // decodes its own, too
  EXPECT_EQ(calls(Operation::alltoall, 3), 20);
  EXPECT_EQ(movement_schedule(facts(Operation::alltoall, 1e9)).crossings, 6);
}

TEST(DeviceCalls, MovementsPayWhereTheNetworkIsSlowerThanDevicesCode) {
  for (const auto operation : {Operation::bcast, Operation::gather, Operation::scatter,
                               Operation::allgather, Operation::alltoall}) {
    const Facts slow = facts(operation, 1.25e9);
    EXPECT_TRUE(pays_on_devices(slow, movement_schedule(slow), 5));
    EXPECT_FALSE(pays_on_devices(slow, movement_schedule(slow), 1));
    const Facts fast = facts(operation, 1e12, std::size_t{256} << 10);
    EXPECT_FALSE(pays_on_devices(fast, movement_schedule(fast), 5));
  }
}

}  // namespace
}  // namespace tightwire::policy
