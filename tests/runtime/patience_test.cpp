#include "runtime/crew/patience.h"

#include <gtest/gtest.h>

namespace tightwire::runtime {
namespace {

using namespace std::chrono_literals;

TEST(Patience, IsNoneBeforeAnythingWasWorkedOn) {
  const Patience patience;
  EXPECT_EQ(patience.of(1 << 20), Patience::Clock::duration::zero());
}

TEST(Patience, IsASixteenthOfWhatAPieceTakes) {
  Patience patience;
  patience.note(160us, 1000);
  EXPECT_EQ(patience.of(1000), 10us);
  EXPECT_EQ(patience.of(500), 5us);
}

TEST(Patience, HasAnEnd) {
  Patience patience;
  patience.note(1s, 1000);
  EXPECT_EQ(patience.of(1000), 200us);
}

TEST(Patience, GoesByTheLastPiece) {
  Patience patience;
  patience.note(160us, 1000);
  patience.note(320us, 1000);
  patience.note(1s, 0);
  EXPECT_EQ(patience.of(1000), 20us);
}

}  // namespace
}  // namespace tightwire::runtime
