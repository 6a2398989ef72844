#include "policy/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tightwire::policy {
namespace {

Facts facts(double gigabits) {
  return {Operation::allreduce, 32 << 20, 4, {30e-6, gigabits * 1e9 / 8}};
}

settings::Settings with_bound() {
  settings::Settings settings;
  settings.mode = settings::Mode::adaptive_pipelined;
  settings.threshold_exact = settings.threshold_bounded = {64 << 10};
  settings.threshold_pipelined = {512 << 10};
  settings.error_bound = {settings::ErrorBound::Kind::absolute, 1e-3};
  return settings;
}

constexpr auto floats = codec::ElementType::float32;

// The choice is what a job would begin with: the same functions decide there.
TEST(Explain, ChoosesAsTheScheduleDoes) {
  const Explanation slow = explain(with_bound(), facts(1), floats, 4);
  const Schedule expected =
      schedule(with_bound(), slow.plan, facts(1), speeds_of(codec::Id::bounded, floats, 4));
  EXPECT_EQ(slow.choice.codec, codec::Id::bounded);
  EXPECT_EQ(slow.choice.algorithm, expected.algorithm);
  EXPECT_EQ(slow.choice.chunks, expected.chunks);
  EXPECT_EQ(slow.choice.seconds, expected.seconds);
}

TEST(Explain, LeavesToMpiWhatDoesNotPay) {
  const Explanation fast = explain(with_bound(), facts(1000), floats, 4);
  EXPECT_EQ(fast.choice.tier, Tier::raw);
  EXPECT_EQ(fast.plan.tier, Tier::bounded);
  EXPECT_EQ(fast.others.size(), 6U) << "three algorithms, within the bound and exactly";
}

TEST(Explain, OffersNoBoundForIntegers) {
  const Explanation integers = explain(with_bound(), facts(1), codec::ElementType::int32, 0);
  EXPECT_TRUE(std::ranges::all_of(integers.others,
                                  [](const Way& way) { return way.tier != Tier::bounded; }));
}

// As a job does: the last digits of a sum are MPI's where no bound covers them.
TEST(Explain, LeavesExactSumsToMpiInTheAdaptiveModes) {
  settings::Settings settings = with_bound();
  settings.error_bound = {};
  const Explanation sum = explain(settings, facts(0.1), floats, 4);
  EXPECT_EQ(sum.choice.tier, Tier::raw);
  EXPECT_NE(sum.reasons.front().find("last digits"), std::string::npos);
  EXPECT_EQ(explain(settings, facts(0.1), codec::ElementType::int32, 4).choice.tier, Tier::exact);
  Facts bcast = facts(0.1);
  bcast.operation = Operation::bcast;
  EXPECT_EQ(explain(settings, bcast, floats, 4).choice.tier, Tier::exact);
  settings.mode = settings::Mode::exact;
  EXPECT_EQ(explain(settings, facts(0.1), floats, 4).choice.tier, Tier::exact);
}

TEST(Explain, TellsOfShortCallsThatATimeMayDecide) {
  settings::Settings settings;
  settings.mode = settings::Mode::adaptive;
  const auto reason_of = [&](std::size_t bytes) {
    Facts bcast = facts(1);
    bcast.operation = Operation::bcast;
    bcast.bytes = bytes;
    return explain(settings, bcast, floats, 4).reasons.front();
  };
  EXPECT_NE(reason_of(16 << 10).find("seen to take long"), std::string::npos);
  EXPECT_NE(reason_of(4 << 10).find("too small"), std::string::npos);
  settings.deterministic = settings::Switch::on;
  EXPECT_NE(reason_of(16 << 10).find("too small"), std::string::npos);
}

// What moves is cut by its size alone, since that is all that both sides know.
TEST(Explain, CutsDataThatMovesAsAJobDoes) {
  Facts scatter = facts(1);
  scatter.operation = Operation::scatter;
  const Explanation moved = explain(with_bound(), scatter, floats, 4);
  EXPECT_EQ(moved.choice.chunks, chunk_range(with_bound(), moved.plan, scatter.bytes).usual());
}

TEST(Explain, AlwaysGivesAReason) {
  for (const double gigabits : {0.1, 10.0, 1000.0}) {
    for (const settings::Mode mode :
         {settings::Mode::raw, settings::Mode::exact, settings::Mode::bounded,
          settings::Mode::adaptive, settings::Mode::adaptive_pipelined}) {
      settings::Settings settings = with_bound();
      settings.mode = mode;
      const Explanation explanation = explain(settings, facts(gigabits), floats, 0);
      EXPECT_FALSE(explanation.reasons.empty());
      EXPECT_TRUE(std::ranges::is_sorted(explanation.others, {}, &Way::seconds));
    }
  }
}

}  // namespace
}  // namespace tightwire::policy
