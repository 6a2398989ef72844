#include "policy/cost/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/cost/bandwidth.h"
#include "policy/cost/handing_on.h"
#include "policy/cost/lanes.h"
#include "policy/frames_per_message.h"

namespace tightwire::policy {
namespace {

constexpr double gigabit = 1e9 / 8;

settings::Settings settings_with_bound() {
  settings::Settings settings;
  settings.mode = settings::Mode::adaptive_pipelined;
  settings.threshold_pipelined = {512 << 10};
  settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  return settings;
}

constexpr Plan bounded{Tier::bounded, codec::Id::bounded, true, Algorithm::automatic};

Facts facts(Operation operation, std::size_t bytes, int ranks, double gigabits = 10) {
  return {operation, bytes, ranks, {30e-6, gigabits * gigabit}};
}

Speeds speeds(double ratio = 4) {
  return speeds_of(codec::Id::bounded, codec::ElementType::float32, ratio);
}

Schedule best(const Facts& facts, const settings::Settings& settings = settings_with_bound()) {
  return schedule(settings, bounded, facts, speeds());
}

TEST(Schedule, LatencyDecidesForSmallMessagesAndBandwidthForLargeOnes) {
  const Schedule small = best(facts(Operation::allreduce, 16 << 10, 64));
  EXPECT_EQ(small.algorithm, Algorithm::recursive_doubling);
  const Schedule medium = best(facts(Operation::allreduce, 1 << 20, 64));
  EXPECT_EQ(medium.algorithm, Algorithm::rabenseifner);
  const Schedule large = best(facts(Operation::allreduce, 256 << 20, 4));
  EXPECT_EQ(large.algorithm, Algorithm::ring);
  EXPECT_EQ(best(facts(Operation::reduce, 16 << 10, 64)).algorithm, Algorithm::tree);
  EXPECT_EQ(best(facts(Operation::reduce, 256 << 20, 4)).algorithm, Algorithm::ring);
}

// Steps of a ring of so many are short, coded by several threads shorter still: what a frame costs
// over TCP would be most of them.
TEST(Schedule, ARingOfManyRanksPaysWhereMessagesCostLittle) {
  Facts call = facts(Operation::allreduce, 64 << 20, 128, 100);
  call.coding_speedup = 8;
  const auto gain = [&](double latency) {
    call.network.latency = latency;
    return raw_seconds(call) / compressed_seconds(call, speeds(40), Algorithm::ring, 16);
  };
  EXPECT_GT(gain(2e-6), 1.3 * gain(20e-6));
}

// Each step of that ring is shorter than what helpers have use for, a half of the message is not.
TEST(Schedule, HelpersAmongManyRanksSpeakForExchangesOfHalves) {
  Facts call = facts(Operation::allreduce, 64 << 20, 128, 100);
  call.network.latency = 2e-6;
  const auto seconds = [&](Algorithm algorithm, double speedup, std::size_t chunks) {
    call.coding_speedup = speedup;
    return compressed_seconds(call, speeds(40), algorithm, chunks);
  };
  EXPECT_EQ(seconds(Algorithm::ring, 4, 16), seconds(Algorithm::ring, 9, 16));
  EXPECT_LT(seconds(Algorithm::rabenseifner, 9, 4), 0.8 * seconds(Algorithm::rabenseifner, 4, 4));
  call.coding_speedup = 9;
  EXPECT_EQ(best(call).algorithm, Algorithm::rabenseifner);
  call.coding_speedup = 1;
  EXPECT_EQ(best(call).algorithm, Algorithm::ring);
}

TEST(Schedule, AnAlgorithmThatWasAskedForIsTheOnlyOneWhereItIsKnown) {
  settings::Settings settings = settings_with_bound();
  for (const Algorithm asked :
       {Algorithm::ring, Algorithm::recursive_doubling, Algorithm::rabenseifner}) {
    settings.algorithm = asked;
    const auto all =
        schedules(settings, bounded, facts(Operation::allreduce, 1 << 20, 8), speeds());
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().algorithm, asked);
  }
  settings.algorithm = Algorithm::tree;
  EXPECT_EQ(schedules(settings, bounded, facts(Operation::allreduce, 1 << 20, 8), speeds()).size(),
            3U);
}

TEST(Schedule, AlternativesAreSortedByTimeButForTheRing) {
  for (const int ranks : {2, 3, 4, 7, 64, 1000}) {
    for (std::size_t bytes = 1 << 10; bytes <= std::size_t{1} << 30; bytes *= 4) {
      const auto all = schedules(settings_with_bound(), bounded,
                                 facts(Operation::allreduce, bytes, ranks), speeds());
      EXPECT_EQ(all.size(), 3U);
      const auto weight = [](const Schedule& one) {
        return one.algorithm == Algorithm::ring ? one.seconds : 1.25 * one.seconds;
      };
      EXPECT_TRUE(std::ranges::is_sorted(all, {}, weight));
      for (const Schedule& each : all) EXPECT_GT(each.seconds, 0);
    }
  }
}

std::size_t chunks_of(const Facts& call, double ratio = 4) {
  return moved(chunk_range(settings_with_bound(), bounded, call.bytes), call, speeds(ratio)).chunks;
}

TEST(Schedule, WhatManyRanksHandOnGoesInMoreChunksWhereTheLinkIsSlow) {
  const auto chunks = [](int ranks, double bandwidth, std::size_t bytes = 1 << 20) {
    return chunks_of({Operation::bcast, bytes, ranks, {20e-6, bandwidth}});
  };
  EXPECT_EQ(chunks(2, 125e6), 8U) << "nobody hands on";
  EXPECT_EQ(chunks(4, 125e6), 16U);
  EXPECT_EQ(chunks(128, 125e6), 32U);  // of 32 KiB at least
  EXPECT_EQ(chunks(8, 125e6, 16 << 20), 64U);
  EXPECT_EQ(chunks(128, 0), 8U) << "not known";
}

// A chunk hides behind another; each takes its frame. By measurement of a quiet wavefield and of
// turbulence, two hosts (docs/dev/performance.md).
TEST(Schedule, OfFramesThatAreNextToNothingThereAreFew) {
  for (const Operation operation : {Operation::bcast, Operation::scatter, Operation::gather,
                                    Operation::allgather, Operation::alltoall}) {
    const auto chunks = [&](std::size_t bytes, double gigabits, double ratio) {
      return chunks_of({operation, bytes, 2, {20e-6, gigabits * gigabit}}, ratio);
    };
    EXPECT_LE(chunks(1 << 20, 1, 70), 4U);
    EXPECT_LE(chunks(256 << 10, 1, 70), 2U);
    EXPECT_GE(chunks(2 << 20, 10, 4), 2U) << "each stage takes about as long";
  }
}

// Not known to all alike, or encoded before it is sent.
TEST(Schedule, WhatIsCutAsUsualIsSoWhateverTheNetwork) {
  Facts call{Operation::scatter, 1 << 20, 128, {20e-6, gigabit}};
  call.in_usual_chunks = true;
  EXPECT_EQ(chunks_of(call), 8U);
  call.operation = Operation::bcast;
  EXPECT_EQ(chunks_of(call, 70), 8U);
}

// MPI sends what is longer once it is asked to.
TEST(Schedule, FramesAreCutToWhatNeedNotBeAskedFor) {
  const Network network{20e-6, 10 * gigabit};
  EXPECT_EQ(asking_seconds(network, 18 << 10), 0);
  EXPECT_GT(asking_seconds(network, (18 << 10) + 1), 2 * frame_seconds(network));
  EXPECT_LT(asking_seconds({2e-6, 12.5e9}, 1 << 20), 3e-6);
  const Facts block{Operation::scatter, 512 << 10, 2, network};
  EXPECT_EQ(chunks_of(block, 3.7), 8U);
}

// Each time both ends have to get their core.
TEST(Schedule, WhereRanksShareCoresFewerFramesAreAskedFor) {
  constexpr double ratio = 2.7;
  const auto asked_for = [](const Facts& call) {
    const std::size_t chunks = chunks_of(call, ratio);
    const double frame = static_cast<double>(call.bytes) / ratio / static_cast<double>(chunks);
    return frame > (18 << 10) ? chunks : 0;
  };
  for (const Operation operation : {Operation::scatter, Operation::bcast}) {
    Facts call{operation, 1 << 20, 4, {20e-6, 2 * gigabit}};
    const std::size_t usual = asked_for(call);
    call.network.ends_share_cores = true;
    EXPECT_LT(asked_for(call), usual) << static_cast<int>(operation);
  }
}

// What a frame takes of a core hides behind no link there.
TEST(Schedule, WhereRanksShareCoresLongPiecesAreNotCutIntoFramesThatNeedNotBeAskedFor) {
  Facts call{Operation::reduce_scatter, 4 << 20, 4, {20e-6, 5.6 * gigabit, false, true}};
  settings::Settings settings = settings_with_bound();
  settings.algorithm = Algorithm::ring;
  EXPECT_LE(schedule(settings, bounded, call, speeds(4)).chunks, 4U);
}

// Its chunks are on their way to several ranks at once, so they do not wait for each other at each.
TEST(Schedule, ABroadcastWhereRanksShareCoresIsCutIntoFramesThatNeedNotBeAskedFor) {
  const Facts call{Operation::bcast, 256 << 10, 4, {20e-6, 10 * gigabit, false, true}};
  EXPECT_EQ(chunks_of(call), 4U);
}

TEST(Schedule, AMessageInOneChunkIsHandedOnBeforeItIsDecoded) {
  const Facts call{Operation::bcast, 1 << 20, 16, {20e-6, gigabit}};
  const double transfer = (1 << 20) / (4 * gigabit) + frame_seconds(call.network);
  EXPECT_NEAR(handed_on(call, speeds(4), 1).pause, 20e-6 / transfer, 1e-9);
  const auto decoded_before = [&](std::size_t chunks) {
    const HandedOn message = handed_on(call, speeds(4), chunks);
    const double of_chunk =
        (1 << 20) / (4 * gigabit * static_cast<double>(chunks)) + frame_seconds(call.network);
    return (message.pause * of_chunk - 20e-6) * static_cast<double>(chunks) /
           (speeds(4).decode * (1 << 20));
  };
  EXPECT_NEAR(decoded_before(2), 1, 1e-9);
  EXPECT_NEAR(decoded_before(4), 3, 1e-9);
  EXPECT_NEAR(decoded_before(32), 3, 1e-9);
}

TEST(Schedule, HelpersMakeABcastsRanksFaster) {
  Facts call{Operation::bcast, 64 << 20, 128, {2e-6, 12.5e9}};
  const HandedOn alone = handed_on(call, speeds(4), 128);
  call.coding_speedup = 4;
  const HandedOn by_some = handed_on(call, speeds(4), 128);
  call.coding_speedup = 8;
  const HandedOn by_many = handed_on(call, speeds(4), 128);
  EXPECT_GT(alone.work, 1);
  EXPECT_LT(by_many.work, 0.25 * alone.work);
  EXPECT_EQ(by_some.pause, alone.pause);
  // One other frame of 128 KiB, and what a chunk takes on its way beside its bytes.
  const double transfer = (128 << 10) / 12.5e9 + frame_seconds(call.network);
  EXPECT_NEAR(by_many.pause, 1 + 2e-6 / transfer, 1e-9);
}

TEST(Schedule, WhatComesSlowlyIsHandedOnAtOnce) {
  Facts call{Operation::bcast, 64 << 20, 128, {20e-6, gigabit}};
  const HandedOn alone = handed_on(call, speeds(4), 128);
  call.coding_speedup = 8;
  EXPECT_EQ(handed_on(call, speeds(4), 128).pause, alone.pause);
}

// Other messages are under way while one is encoded, and while one is decoded.
TEST(Schedule, OfMessagesToManyRanksEachGoesInOneChunk) {
  for (const Operation operation : {Operation::scatter, Operation::gather}) {
    EXPECT_EQ(chunks_of({operation, 1 << 20, 128, {20e-6, gigabit}}), 1U);
  }
}

// A frame costs less there, and ranks that decode a large one have the next wait.
TEST(Schedule, WhatManyRanksHandOnGoesInMoreChunksWhereTheLatencyIsLow) {
  EXPECT_EQ(chunks_of({Operation::bcast, 64 << 20, 128, {2e-6, 12.5e9}}), 512U);
  EXPECT_EQ(chunks_of({Operation::bcast, 64 << 20, 128, {20e-6, 12.5e9}}), 128U);
}

TEST(Schedule, ChunksAreThoseAskedForWithinReason) {
  settings::Settings settings = settings_with_bound();
  const Facts large = facts(Operation::allreduce, 32 << 20, 4);
  settings.algorithm = Algorithm::ring;
  settings.chunks = {16};
  EXPECT_EQ(best(large, settings).chunks, 16U);
  settings.chunks = {1};
  EXPECT_EQ(best(large, settings).chunks, 8U) << "frames of a mebibyte at most";
  settings.chunks = {};
  EXPECT_GE(best(large, settings).chunks, 8U);
  const Plan in_one_piece{Tier::bounded, codec::Id::bounded, false, Algorithm::automatic};
  EXPECT_EQ(schedule(settings, in_one_piece, large, speeds()).chunks, 1U);
}

settings::Settings settings_with_part_of_range() {
  settings::Settings settings = settings_with_bound();
  settings.error_bound.kind = settings::ErrorBound::Kind::relative;
  return settings;
}

TEST(Schedule, ABoundThatIsAPartOfTheRangeTakesALook) {
  constexpr std::size_t bytes = 32 << 20;
  const auto before = [](Operation operation, double speedup = 1) {
    Facts all = facts(operation, bytes, 5);
    all.coding_speedup = speedup;
    return best(all, settings_with_part_of_range()).seconds - best(all).seconds;
  };
  constexpr double look = bytes * look_seconds_per_byte;
  EXPECT_NEAR(before(Operation::bcast), look, 1e-9);
  EXPECT_NEAR(before(Operation::bcast, 4), look / 4, 1e-9);
  EXPECT_NEAR(before(Operation::alltoall), 4 * look, 1e-9) << "one message for each other rank";
  EXPECT_NEAR(before(Operation::allreduce), look + 6 * 30e-6, 1e-9) << "the ranks agree";
  const Plan exact{Tier::exact, codec::Id::exact, true, Algorithm::automatic};
  EXPECT_EQ(seconds_before(settings_with_part_of_range(), exact, facts(Operation::bcast, bytes, 5)),
            0);
}

TEST(Schedule, HelpersTakeNoPartInTheLookAtAShortBlock) {
  Facts all = facts(Operation::scatter, 512 << 10, 128);
  all.coding_speedup = 9;
  const double look = 127.0 * (512 << 10) * look_seconds_per_byte;
  EXPECT_NEAR(seconds_before(settings_with_part_of_range(), bounded, all), look, 1e-9);
}

// The link is faster than one core codes: the look is what it is not worth.
TEST(Schedule, TheLookDecidesOnFastLinksOnly) {
  const auto pays = [](const settings::Settings& settings, double gigabits) {
    const Facts all = facts(Operation::bcast, 32 << 20, 2, gigabits);
    return best(all, settings).seconds < gain_to_start * raw_seconds(all);
  };
  for (const double gigabits : {0.1, 1.0, 10.0}) {
    EXPECT_TRUE(pays(settings_with_part_of_range(), gigabits)) << gigabits;
  }
  EXPECT_TRUE(pays(settings_with_bound(), 22));
  EXPECT_FALSE(pays(settings_with_part_of_range(), 22));
}

TEST(Cost, MoreBytesRanksOrLatencyNeverCostLess) {
  for (const auto operation :
       {Operation::bcast, Operation::reduce, Operation::allreduce, Operation::reduce_scatter,
        Operation::scan, Operation::gather, Operation::scatter, Operation::allgather,
        Operation::alltoall, Operation::neighbor_allgather, Operation::neighbor_alltoall}) {
    for (const Algorithm algorithm : algorithms_of(operation)) {
      double before = 0;
      for (std::size_t bytes = 1 << 12; bytes <= std::size_t{1} << 30; bytes *= 2) {
        const double seconds =
            compressed_seconds(facts(operation, bytes, 8), speeds(), algorithm, 8);
        EXPECT_GT(seconds, before);
        before = seconds;
      }
      const Facts near = facts(operation, 1 << 20, 8);
      Facts far = near;
      far.network.latency *= 100;
      EXPECT_GT(compressed_seconds(far, speeds(), algorithm, 8),
                compressed_seconds(near, speeds(), algorithm, 8));
      EXPECT_GT(raw_seconds(far), raw_seconds(near));
      Facts slow = near;
      slow.network.bandwidth /= 100;
      EXPECT_GT(compressed_seconds(slow, speeds(), algorithm, 8),
                compressed_seconds(near, speeds(), algorithm, 8));
    }
  }
}

// Where nothing is cut, nothing hides behind anything else, and nothing is counted twice.
TEST(Cost, OfOneChunkIsEachStageOnce) {
  const Speeds speed = speeds();
  for (const Operation operation : {Operation::bcast, Operation::scatter, Operation::gather,
                                    Operation::alltoall, Operation::allgather}) {
    for (const double gigabits : {0.1, 1.0, 10.0, 100.0}) {
      const Facts call = facts(operation, 1 << 20, 2, gigabits);
      const double bytes = 1 << 20;
      const double stages = bytes * (speed.encode + speed.decode) +
                            bytes / (speed.ratio * call.network.bandwidth) + call.network.latency;
      const double seconds = compressed_seconds(call, speed, Algorithm::automatic, 1);
      const double frame = frame_seconds(call.network);
      EXPECT_GE(seconds, stages + 0.99 * frame) << static_cast<int>(operation);
      EXPECT_LE(seconds, stages + 2.01 * frame)
          << static_cast<int>(operation) << " at " << gigabits;
    }
  }
}

// Of many ranks a step is not a transfer and a decoding one after the other, even in one chunk.
TEST(Cost, AroundARingBlocksAreHandedOnBeforeTheyAreDecoded) {
  const Speeds speed = speeds();
  const Facts call{Operation::allgather, 512 << 10, 32, {2e-6, 100 * gigabit}};
  const double bytes = 512 << 10;
  const double transfer = bytes / (speed.ratio * call.network.bandwidth) + call.network.latency;
  const double one = std::max(transfer, bytes * speed.decode) + 2 * frame_seconds(call.network);
  const double ends = bytes * (speed.encode + speed.decode) + transfer;
  EXPECT_LT(compressed_seconds(call, speed, Algorithm::automatic, 1), 31 * one + ends);
}

// Nor in an Alltoall, whose blocks for other ranks leave while one is on its way.
TEST(Cost, BlocksForSeveralRanksAreOnTheirWayAtOnce) {
  const Speeds speed = speeds();
  const Facts call{Operation::alltoall, 512 << 10, 32, {20e-6, 10 * gigabit}};
  const double bytes = 512 << 10;
  const double transfer = bytes / (speed.ratio * call.network.bandwidth) + call.network.latency;
  const double work = bytes * (speed.encode + speed.decode) + frame_seconds(call.network);
  const double one = std::max(transfer, work);
  EXPECT_LT(compressed_seconds(call, speed, Algorithm::automatic, 1), 31 * one + transfer + work);
  EXPECT_GT(31 * (transfer + work), 1.3 * (31 * one + transfer + work)) << "one after the other";
}

TEST(Cost, BetterRatiosCostLessWhereTheLinkIsSlow) {
  const Facts slow = facts(Operation::allreduce, 32 << 20, 4, 1);
  const double at_four = compressed_seconds(slow, speeds(4), Algorithm::ring, 8);
  EXPECT_LT(compressed_seconds(slow, speeds(8), Algorithm::ring, 8), 0.7 * at_four);
  EXPECT_LT(at_four, 0.5 * raw_seconds(slow));
}

// What was measured in the lab, 4 hosts, 32 MiB: 114 and 33 ms, where raw MPI took 600 and 80. The
// model need not know what MPI's own algorithms lose.
TEST(Cost, IsNearTheMeasuredTimes) {
  const auto milliseconds = [](double gigabits) {
    return 1e3 * compressed_seconds(facts(Operation::allreduce, 32 << 20, 4, gigabits), speeds(4),
                                    Algorithm::ring, 8);
  };
  EXPECT_NEAR(milliseconds(1), 114, 40);
  EXPECT_NEAR(milliseconds(10), 28, 14);
}

TEST(Cost, HasAsManySegmentsAsTheAlgorithmNeeds) {
  EXPECT_EQ(segments(Algorithm::ring, 7), 7U);
  EXPECT_EQ(segments(Algorithm::rabenseifner, 7), 4U);
  EXPECT_EQ(segments(Algorithm::rabenseifner, 8), 8U);
  EXPECT_EQ(segments(Algorithm::recursive_doubling, 7), 1U);
  EXPECT_EQ(piece_bytes(facts(Operation::allreduce, 701, 7), Algorithm::ring), 101U);
}

TEST(Speeds, EveryCodecTakesTime) {
  for (const codec::Codec* codec : codec::all()) {
    const Speeds speed = speeds_of(codec->id(), codec::ElementType::float32, 4);
    EXPECT_GT(speed.encode, 0) << codec->name();
    EXPECT_GT(speed.merge, speed.encode) << codec->name();
    EXPECT_GT(speed.combine, speed.decode) << codec->name();
    EXPECT_GE(typical_ratio(codec->id()), 1) << codec->name();
  }
}

// Two hosts of two ranks, 32 MiB: as measured in the lab.
TEST(LaneSeconds, LanesAreAheadWhereTheLinkCountsForMoreThanTheCodec) {
  const LaneFacts two_by_two{2, 2, 2, 1};
  for (const Operation operation : {Operation::reduce, Operation::reduce_scatter}) {
    const auto lanes_gain = [&](double gigabits) {
      const Facts all = facts(operation, 32 << 20, 4, gigabits);
      const Schedule flat = best(all);
      return lane_seconds(all, two_by_two, speeds(), flat.chunks) < flat.seconds;
    };
    EXPECT_TRUE(lanes_gain(1));
    EXPECT_FALSE(lanes_gain(10));
  }
}

// Small frames share messages, where each alone would take two ends microseconds.
TEST(Rabenseifner, SmallPiecesTakeLessThanAMessageEach) {
  const Facts many = facts(Operation::allreduce, 64 << 10, 1024, 10);
  EXPECT_EQ(frames_per_message((64 << 10) / 1024), 256U);
  EXPECT_LT(compressed_seconds(many, speeds(), Algorithm::rabenseifner, 1),
            1024 * frame_seconds(many.network));
  EXPECT_EQ(frames_per_message(33 << 10), 1U);
  EXPECT_LT(frame_seconds(many.network, 256), frame_seconds(many.network) / 4);
}

TEST(LaneSeconds, LanesAreAheadOfRingsThatLeaveTheHostsOftenAndOfLongOnes) {
  const Facts slow = facts(Operation::reduce_scatter, 32 << 20, 4, 1);
  // The bandwidth is what a rank gets in a ring of all, whose crossings share the link.
  EXPECT_LT(lane_seconds(slow, {2, 2, 2, 2}, speeds(), 8),
            lane_seconds(slow, {2, 2, 2, 1}, speeds(), 8));
  const Facts many = facts(Operation::reduce_scatter, 1 << 20, 1024, 10);
  EXPECT_LT(lane_seconds(many, {16, 64, 64, 1}, speeds(), 1),
            compressed_seconds(many, speeds(), Algorithm::ring, 1));
}

// What plain calls of these links take, by a model that errs in what the wire does not take.
double seconds_on(Facts facts, double gigabits, double latency, double rest_errs_by) {
  facts.network = {latency, gigabits * gigabit};
  const double all = raw_seconds(facts);
  facts.network.bandwidth = 1e30;
  return all + (rest_errs_by - 1) * raw_seconds(facts);
}

TEST(LearnedBandwidth, IsThatOfTheLinkUpTo400GigabitsASecond) {
  for (const double gigabits : {1.0, 10.0, 25.0, 100.0, 400.0}) {
    for (const Operation operation : {Operation::bcast, Operation::allgather}) {
      Facts call = facts(operation, 32 << 20, 4, 0);
      call.network = {20e-6, 0};
      const double seconds = seconds_on(call, gigabits, 20e-6, 0.8);
      EXPECT_NEAR(learned_network(call, seconds).bandwidth / gigabit, gigabits, 0.05 * gigabits);
    }
  }
}

// The time of either is mostly not the wire's; the model need not err by much to find any
// bandwidth.
TEST(LearnedBandwidth, IsNotSpoiltByShortCallsOrSumsOnFastLinks) {
  for (const double rest_errs_by : {0.7, 1.0, 1.5}) {
    for (const double gigabits : {25.0, 100.0, 400.0}) {
      Facts call = facts(Operation::bcast, 64 << 10, 4, gigabits);
      call.network.latency = 20e-6;
      const double known = call.network.bandwidth;
      const double of_short = seconds_on(call, gigabits, 20e-6, rest_errs_by);
      EXPECT_NEAR(learned_network(call, of_short).bandwidth / known, 1, 0.2) << gigabits;
      call = facts(Operation::allreduce, 32 << 20, 4, gigabits);
      const double of_sum = seconds_on(call, gigabits, 20e-6, rest_errs_by);
      EXPECT_NEAR(learned_network(call, of_sum).bandwidth / known, 1, 0.2) << gigabits;
      EXPECT_FALSE(learned_network(call, of_sum).rough) << gigabits;
    }
  }
}

TEST(LearnedBandwidth, OfSumsAloneIsRoughUntilACallTellsMore) {
  Facts sum = facts(Operation::reduce_scatter, 32 << 20, 2, 0);
  sum.network = {20e-6, 0};
  const Network rough = learned_network(sum, seconds_on(sum, 400, 20e-6, 1.3));
  EXPECT_TRUE(rough.known() && rough.rough);
  EXPECT_LT(rough.bandwidth / gigabit, 200) << "what else the sums took was laid to the link";
  sum.network = rough;
  EXPECT_TRUE(learned_network(sum, seconds_on(sum, 400, 20e-6, 1.3)).rough);
  Facts moved = facts(Operation::scatter, 32 << 20, 2, 0);
  moved.network = rough;
  const Network known = learned_network(moved, seconds_on(moved, 400, 20e-6, 1));
  EXPECT_FALSE(known.rough);
  EXPECT_NEAR(known.bandwidth / gigabit, 400, 20) << "not something between";
}

TEST(LearnedBandwidth, IsFiniteAndBelievedWhereItIsFarSlower) {
  Facts call = facts(Operation::bcast, 64 << 10, 4, 400);
  const double slow = 10e-3;
  EXPECT_LT(learned_network(call, slow).bandwidth / gigabit, 1);
  call.network.bandwidth = 0;
  const double quicker_than_latency = 1e-6;
  EXPECT_LT(learned_network(call, quicker_than_latency).bandwidth, 1e13);
  EXPECT_GT(learned_network(call, quicker_than_latency).bandwidth / gigabit, 400);
}

}  // namespace
}  // namespace tightwire::policy
