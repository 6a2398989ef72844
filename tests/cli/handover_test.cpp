#include "cli/launch/handover.h"

#include <gtest/gtest.h>

namespace tightwire::cli {
namespace {

// MPI 4.0, section 15.2: tools come before.
TEST(Preload, StandsAtTheEndOnce) {
  EXPECT_EQ(with_preload("/t.so", ""), "/t.so");
  EXPECT_EQ(with_preload("/t.so", "/a.so"), "/a.so:/t.so");
  EXPECT_EQ(with_preload("/t.so", "/a.so /b.so"), "/a.so /b.so:/t.so");
  for (const char* there : {"/t.so", "/a.so:/t.so", "/a.so /t.so", "/t.so:/a.so"}) {
    EXPECT_EQ(with_preload("/t.so", there), there);
  }
  EXPECT_EQ(with_preload("/t.so", "/t.so.1"), "/t.so.1:/t.so");
}

TEST(Preload, KnowsNoQuoting) {
  EXPECT_TRUE(can_be_preloaded("/opt/tightwire/lib/x.so"));
  EXPECT_FALSE(can_be_preloaded("/my programs/x.so"));
  EXPECT_FALSE(can_be_preloaded("/a:b/x.so"));
}

}  // namespace
}  // namespace tightwire::cli
