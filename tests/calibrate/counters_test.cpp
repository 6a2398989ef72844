#include "calibrate/measure/counters.h"

#include <gtest/gtest.h>

#include <string>

namespace tightwire::calibrate {
namespace {

const std::string headings =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs "
    "drop\n";

TEST(Counters, AddsWhatAllInterfacesButTheLoopbackSent) {
  const std::string text = headings + "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n" +
                           "  eth0: 200 1 0 0 0 0 0 0 3000 1 0 0 0 0 0 0\n" +
                           "  eth1:7 1 0 0 0 0 0 0 40 1 0 0 0 0 0 0\n";
  EXPECT_EQ(sent_bytes(text), 3040U);
}

TEST(Counters, LoopbackAloneSendsNothing) {
  EXPECT_EQ(sent_bytes(headings + "    lo: 1 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"), 0U);
}

TEST(Counters, HoldsMoreThan32Bits) {
  EXPECT_EQ(sent_bytes("eth0: 0 0 0 0 0 0 0 0 123456789012 0 0 0 0 0 0 0\n"), 123456789012U);
}

TEST(Counters, AnotherFormatGivesNothing) {
  EXPECT_EQ(sent_bytes(""), std::nullopt);
  EXPECT_EQ(sent_bytes(headings), std::nullopt);
  EXPECT_EQ(sent_bytes("eth0: 1 2 3\n"), std::nullopt);
  EXPECT_EQ(sent_bytes("eth0: 1 2 3 4 5 6 7 8 many\n"), std::nullopt);
}

}  // namespace
}  // namespace tightwire::calibrate
