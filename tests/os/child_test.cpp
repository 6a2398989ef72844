#include "os/child.h"

#include <gtest/gtest.h>

#include <csignal>

namespace tightwire::os {
namespace {

TEST(Child, TellsHowItEnded) {
  using namespace std::chrono_literals;
  EXPECT_EQ(run_in_child([] { return 3; }, 20s).exit_code, 3);
  EXPECT_EQ(run_in_child([] { return ::raise(SIGTERM); }, 20s).signal, SIGTERM);
  const ChildResult echo = run_program({"/bin/echo", "hello"}, {}, 20s);
  EXPECT_TRUE(echo.ok());
  EXPECT_EQ(echo.output, "hello\n");
  EXPECT_EQ(run_program({"/no/such/program"}, {}, 20s).exit_code, 127);
  const ChildResult slow = run_program({"/bin/sleep", "1000"}, {}, 50ms);
  EXPECT_TRUE(slow.timed_out);
  EXPECT_FALSE(slow.ok());
}

}  // namespace
}  // namespace tightwire::os
