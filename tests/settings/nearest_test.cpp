#include "settings/nearest.h"

#include <gtest/gtest.h>

#include <string>

namespace tightwire::settings {
namespace {

const std::vector<std::string_view> keys{"mode", "error-bound", "exact-codec", "bounded-codec",
                                         "chunks"};

TEST(Nearest, FindsWhatAslipMeant) {
  EXPECT_EQ(nearest("eror-bound", keys), "error-bound");
  EXPECT_EQ(nearest("error_bound", keys), "error-bound");
  EXPECT_EQ(nearest("ERROR-BOUND", keys), "error-bound");
  EXPECT_EQ(nearest("error-buond", keys), "error-bound");
  EXPECT_EQ(nearest("mod", keys), "mode");
  EXPECT_EQ(nearest("chunk", keys), "chunks");
}

TEST(Nearest, StaysSilentOnWhatIsFar) {
  EXPECT_EQ(nearest("", keys), std::nullopt);
  EXPECT_EQ(nearest("x", keys), std::nullopt);
  EXPECT_EQ(nearest("frobnicate", keys), std::nullopt);
  EXPECT_EQ(nearest(std::string(1 << 20, 'm'), keys), std::nullopt);
}

}  // namespace
}  // namespace tightwire::settings
