#include "settings/source/defaults.h"

#include <gtest/gtest.h>

namespace tightwire::settings {
namespace {

TEST(Defaults, AreWhatTheTableSays) {
  const Settings settings = defaults();
  for (const Description& one : descriptions()) {
    Settings again = settings;
    EXPECT_FALSE(assign(again, one.key, one.default_value, "here").has_value()) << one.key;
    EXPECT_EQ(again, settings) << one.key;
  }
}

TEST(Changed, NamesWhatIsNotTheDefault) {
  Settings settings = defaults();
  EXPECT_TRUE(changed(settings).empty());
  ASSERT_FALSE(assign(settings, "error-bound", "1e-3", "here").has_value());
  ASSERT_FALSE(assign(settings, "history", "off", "here").has_value());
  const auto told = changed(settings);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0].first, "history");
  EXPECT_EQ(told[0].second, "off");
  EXPECT_EQ(told[1].first, "error-bound");
}

TEST(Changed, NamesNoFiles) {
  Settings settings = defaults();
  ASSERT_FALSE(assign(settings, "report", "private/run.json", "here").has_value());
  EXPECT_TRUE(changed(settings).empty());
}

}  // namespace
}  // namespace tightwire::settings
