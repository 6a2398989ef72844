#include "audit/forecast.h"

#include <gtest/gtest.h>

#include "audit/advice.h"
#include "audit/functions.h"
#include "profiles.h"

namespace tightwire::audit {
namespace {

constexpr std::size_t rel_1e4 = exact_choices + bounds.size() + 2;

Forecast of(const Profile& profile, std::size_t choice = 0) {
  return forecast(profile, choice, network_of(profile));
}

std::string reason(const Profile& profile, std::size_t choice = 0) {
  return of(profile, choice).kinds.at(0).reason;
}

TEST(Forecast, WhatShrinksToHalfTakesHalfTheTime) {
  const Forecast exactly = of(job(halo(), sampled(2, 8)));
  // 100 messages a rank, 8.4 ms each.
  EXPECT_NEAR(exactly.gain.seconds, 0.42, 0.1);
  EXPECT_GT(of(job(halo(), sampled(2, 8)), rel_1e4).gain.seconds, 1.4 * exactly.gain.seconds);
}

TEST(Forecast, AFasterLinkLeavesLessToGain) {
  const Profile profile = job(halo(), sampled(2, 8));
  const double slow = forecast(profile, rel_1e4, {50e-6, 125e6}).gain.seconds;
  const double fast = forecast(profile, rel_1e4, {5e-6, 12.5e9}).gain.seconds;
  EXPECT_GT(slow, 0);
  EXPECT_EQ(fast, 0);
}

TEST(Forecast, NothingIsGainedThatWasNotSpent) {
  Profile profile = job(halo(), sampled(100, 100));
  profile.mpi_seconds = 0.1;  // all else was hidden
  EXPECT_LT(of(profile).gain.seconds, 0.1);
  EXPECT_GT(of(profile).gain.seconds, 0);
}

// 100 messages a rank of 1 MiB over 1 Gbit/s: 0.84 s.
TEST(Forecast, RanksThatWaitedForLongerThanTheModelSaysGainMore) {
  Profile profile = job(halo(), sampled(2, 8));
  const Gain by_model = of(profile).gain;
  profile.least_mpi_seconds = 1.26;
  EXPECT_NEAR(of(profile).gain.seconds, 1.5 * by_model.seconds, 0.01 * by_model.seconds);
  EXPECT_NEAR(of(profile).gain.least, by_model.least, 1e-9);
  // What else they waited for is not the network's.
  Kind barrier;
  barrier.function = "MPI_Barrier";
  profile.calls[barrier] = {400, 0, 4 * 0.42, 0, {}};
  EXPECT_NEAR(of(profile).gain.seconds, by_model.seconds, 0.01 * by_model.seconds);
}

TEST(Forecast, WaitingOnOneNetworkTellsNothingOfAnother) {
  Profile profile = job(halo(), sampled(2, 8));
  const policy::Network slower{50e-6, 12.5e6};
  const double by_model = forecast(profile, 0, slower).gain.seconds;
  EXPECT_GT(by_model, 2 * of(profile).gain.seconds);
  profile.least_mpi_seconds = 1.26;
  EXPECT_NEAR(forecast(profile, 0, slower).gain.seconds, by_model, 1e-9);
}

TEST(Forecast, SaysWhyCallsAreLeftAlone) {
  EXPECT_EQ(reason(job(halo(), sampled(2, 8))), "");
  EXPECT_NE(reason(job(halo(), sampled(2, 8), 1000)).find("too small"), std::string::npos);
  EXPECT_NE(reason(job(halo(), {})).find("not sampled"), std::string::npos);
  EXPECT_NE(reason(job(halo(), sampled(1, 8))).find("saves no time"), std::string::npos);
  Kind near = halo();
  near.peer = Peer::same_host;
  EXPECT_EQ(reason(job(near, sampled(2, 8))), "stays on its host");
}

TEST(Forecast, SumsOfFloatsNeedABound) {
  Kind sum = halo();
  sum.function = "MPI_Allreduce";
  sum.reduction = "sum";
  const Profile profile = job(sum, sampled(2, 8));
  EXPECT_NE(reason(profile).find("left to MPI"), std::string::npos);
  EXPECT_EQ(reason(profile, rel_1e4), "");
  EXPECT_GT(of(profile, rel_1e4).gain.seconds, 0);
  sum.type = codec::ElementType::int64;
  EXPECT_EQ(reason(job(sum, sampled(2, 8))), "");
}

TEST(Forecast, ARootSpeaksForAllRanks) {
  Kind root = halo();
  root.function = "MPI_Bcast";
  Kind each = halo();
  each.function = "MPI_Allgather";
  EXPECT_GT(of(job(root, sampled(8, 8))).gain.seconds, 4 * 0.5);
  EXPECT_GT(of(job(each, sampled(8, 8))).gain.seconds, 0);
}

TEST(Forecast, TimesInMpiThatSendNothingAreNoReason) {
  Kind wait;
  wait.function = "MPI_Waitall";
  Profile profile = job(wait, {}, 0);
  EXPECT_EQ(reason(profile), "");
  EXPECT_EQ(of(profile).gain.seconds, 0);
}

// Of 4 ranks: what each message gains follows from its own size and number, whatever they are
// called by.
TEST(Forecast, MessagesOfAllToAllAreCountedOneByOne) {
  Kind parts = halo();
  parts.function = "MPI_Alltoallv";
  Kind persistent = parts;
  persistent.function = "MPI_Alltoallv_init";
  const double gain = of(job(parts, sampled(2, 8))).gain.seconds;
  EXPECT_NEAR(gain, of(job(halo(), sampled(2, 8))).gain.seconds, 0.15);
  EXPECT_EQ(gain, of(job(persistent, sampled(2, 8))).gain.seconds);
}

TEST(Forecast, SynchronousAndPartitionedSendsAreLeftAlone) {
  Kind kind = halo();
  kind.function = "MPI_Ssend_init";
  EXPECT_NE(reason(job(kind, sampled(2, 8))).find("synchronously"), std::string::npos);
  kind.function = "MPI_Psend_init";
  EXPECT_NE(reason(job(kind, {})).find("partitions"), std::string::npos);
}

Samples compared(double alone, double in_time) {
  Samples samples = sampled(alone, alone);
  for (Tried& tried : samples.in_time) tried = shrinks(in_time);
  return samples;
}

TEST(Forecast, MessagesThatResembleEarlierOnesGainMore) {
  Profile profile = job(halo(), compared(1.5, 10));
  profile.calls.begin()->second.channels = 4;
  const Gain gain = of(profile).gain;
  EXPECT_GT(gain.seconds, 1.8 * of(job(halo(), sampled(1.5, 1.5))).gain.seconds);
  // What comes back from samples that were compared may fail to come true.
  EXPECT_NEAR(gain.least, of(job(halo(), sampled(1.5, 1.5))).gain.least, 1e-9);
}

TEST(Forecast, TheFirstMessagesOfAChannelHaveNoEarlierOnes) {
  Profile profile = job(halo(), compared(1.5, 10));
  profile.calls.begin()->second.channels = 400;  // one message each
  EXPECT_NEAR(of(profile).gain.seconds, of(job(halo(), sampled(1.5, 1.5))).gain.seconds, 1e-9);
}

TEST(Forecast, WhatWasComparedInVainChangesNothing) {
  Profile profile = job(halo(), compared(2, 2));
  profile.calls.begin()->second.channels = 4;
  EXPECT_NEAR(of(profile).gain.seconds, of(job(halo(), sampled(2, 2))).gain.seconds, 1e-9);
}

// At either end of a chain ranks have one neighbour, between them two: all go at their pace.
TEST(Forecast, RanksWaitForTheBusiest) {
  Profile profile = job(halo(), sampled(2, 8));
  const Gain alike = of(profile).gain;
  profile.busiest = 1.5;
  EXPECT_NEAR(of(profile).gain.seconds, 1.5 * alike.seconds, 1e-9);
  EXPECT_NEAR(of(profile).gain.least, alike.least, 1e-9);
  profile.mpi_seconds = 0.1;
  EXPECT_LT(of(profile).gain.seconds, 0.1);
}

TEST(Forecast, KnowsWhatSends) {
  for (const char* const name : {"MPI_Send", "MPI_Isend", "MPI_Sendrecv", "MPI_Bsend_init"}) {
    EXPECT_EQ(operation_of(name), policy::Operation::send) << name;
  }
  for (const char* const name : {"MPI_Irsend", "MPI_Isendrecv_replace", "MPI_Psend_init"}) {
    EXPECT_EQ(operation_of(name), policy::Operation::send) << name;
  }
  for (const char* const name : {"MPI_Alltoallw", "MPI_Ialltoallw", "MPI_Alltoallw_init"}) {
    EXPECT_EQ(operation_of(name), policy::Operation::alltoall) << name;
  }
  EXPECT_EQ(operation_of("MPI_Ineighbor_allgatherv"), policy::Operation::neighbor_allgather);
  for (const char* const name : {"MPI_Recv", "MPI_Irecv", "MPI_Ibarrier", "MPI_Recv_init", ""}) {
    EXPECT_EQ(operation_of(name), std::nullopt) << name;
  }
  EXPECT_EQ(operation_of("MPI_Exscan"), policy::Operation::scan);
}

TEST(Advice, NamesThePlaceInARule) {
  const Profile profile = job(halo(), sampled(1.01, 8));
  const std::string rules = rules_to_paste(profile, network_of(profile));
  EXPECT_NE(rules.find("# where = \"exchange_halo\""), std::string::npos) << rules;
  EXPECT_EQ(rules_to_paste(job(halo(), sampled(8, 8)), network_of(profile)), "");
}

TEST(Advice, GoesByTheCommunicatorWhereThePlaceIsNotKnown) {
  Kind unknown = halo();
  unknown.site = "";
  unknown.communicator = "velocity";
  const Profile profile = job(unknown, sampled(1.01, 8));
  EXPECT_NE(rules_to_paste(profile, network_of(profile)).find("# communicator = \"velocity\""),
            std::string::npos);
}

TEST(Advice, SaysWhetherEarlierMessagesAreCountedIn) {
  Profile profile = job(halo(), sampled(2, 8));
  EXPECT_NE(advice(profile, network_of(profile)).find("no time to compare"), std::string::npos);
  profile = job(halo(), compared(2, 8));
  EXPECT_NE(advice(profile, network_of(profile)).find("is counted in"), std::string::npos);
}

TEST(Advice, SaysThatOneHostGainsNothing) {
  Profile profile = job(halo(), sampled(2, 8));
  profile.hosts = 1;
  EXPECT_NE(advice(profile, network_of(profile)).find("nothing to gain"), std::string::npos);
}

}  // namespace
}  // namespace tightwire::audit
