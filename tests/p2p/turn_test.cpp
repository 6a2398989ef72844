#include "p2p/state/turn.h"

#include <gtest/gtest.h>

#include <optional>

namespace tightwire::p2p {
namespace {

TEST(Turn, IsTheFirstMessagesOfARank) {
  Turn first(3);
  Turn second(3);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(first.has_come());
    EXPECT_FALSE(second.has_come()) << i;
  }
}

TEST(Turn, GoesOnWhenTheFirstMessageIsThere) {
  std::optional<Turn> first(3);
  Turn second(3);
  Turn third(3);
  EXPECT_FALSE(second.has_come());
  first.reset();
  EXPECT_TRUE(second.has_come());
  EXPECT_FALSE(third.has_come());
}

TEST(Turn, IsNoMatterOfOtherRanks) {
  Turn first(3);
  Turn other(4);
  EXPECT_TRUE(other.has_come());
  EXPECT_TRUE(first.has_come());
}

TEST(Turn, IsAnyonesWhereNobodyAsksForTheFirst) {
  Turn first(3);
  Turn second(3);
  EXPECT_TRUE(first.has_come());
  EXPECT_FALSE(second.has_come());
  EXPECT_TRUE(second.has_come());
  EXPECT_TRUE(second.has_come());
  EXPECT_TRUE(first.has_come());
  EXPECT_FALSE(second.has_come());
}

// One that takes the place of the first has not been looked at yet.
TEST(Turn, WaitsForAnotherFirstAsWell) {
  std::optional<Turn> first(3);
  Turn second(3);
  Turn third(3);
  EXPECT_FALSE(third.has_come());
  first.reset();
  EXPECT_FALSE(third.has_come());
  EXPECT_TRUE(second.has_come());
}

TEST(Turn, TellsTheFirstWithoutAsking) {
  const Turn first(3);
  Turn second(3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(first.is_first());
    EXPECT_FALSE(second.is_first());
  }
  EXPECT_FALSE(second.has_come());
  EXPECT_TRUE(second.has_come());
}

}  // namespace
}  // namespace tightwire::p2p
