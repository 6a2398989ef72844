// Whether others have a part of a thread's core.
#include "os/waiting/core_share.h"

#include <gtest/gtest.h>

namespace tightwire::os {
namespace {

TEST(ThreadTurns, AreReadAsTheKernelWritesThem) {
  const auto turns = parse_turns("129912742 414754000 26\n");
  ASSERT_TRUE(turns.has_value());
  EXPECT_DOUBLE_EQ(turns->ran, 0.129912742);
  EXPECT_DOUBLE_EQ(turns->waited, 0.414754);
}

TEST(ThreadTurns, OtherTextsTellNothing) {
  for (const char* const text : {"", "\n", "12", "12\n", "12 ", "12 x 3", "-1 2 3", "a b c"}) {
    EXPECT_FALSE(parse_turns(text).has_value()) << text;
  }
}

TEST(CoreShare, NothingIsKnownAtFirst) {
  CoreShare share;
  EXPECT_FALSE(share.is_shared());
  share.see({10, 10});  // before it was asked
  EXPECT_FALSE(share.is_shared());
  share.see({10 + 1e-3, 10 + 1e-3});
  EXPECT_FALSE(share.is_shared());
}

TEST(CoreShare, IsSharedWhereOthersHaveATenth) {
  CoreShare share;
  ThreadTurns turns;
  const auto go_on = [&](double ran, double waited) {
    for (int i = 0; i < 100; ++i) {
      turns.ran += ran;
      turns.waited += waited;
      share.see(turns);
    }
    return share.is_shared();
  };
  EXPECT_FALSE(go_on(1e-3, 0.05e-3));
  EXPECT_TRUE(go_on(1e-3, 0.2e-3));
  EXPECT_FALSE(go_on(1e-3, 0));
}

TEST(CoreShare, TellsOfLongAgoNoMoreThanOfOneLongTurn) {
  CoreShare share;
  share.see({0, 0});
  share.see({100, 100});
  EXPECT_TRUE(share.is_shared());
  share.see({101, 100});
  EXPECT_FALSE(share.is_shared());
}

}  // namespace
}  // namespace tightwire::os
