#include "cli/help.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cli/commands.h"
#include "settings/settings.h"

namespace tightwire::cli {
namespace {

TEST(Help, FitsEightyColumns) {
  std::istringstream lines(help_text());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(Help, NamesEveryCommandAndEverySettingThatIsNotForTests) {
  const std::string text = help_text();
  for (const settings::Description& setting : settings::descriptions()) {
    const std::string option = "\n  --" + setting.key;
    const auto is_named = [&](char end) { return text.find(option + end) != std::string::npos; };
    const bool named = is_named(' ') || is_named('[');
    EXPECT_EQ(named, !setting.for_tests) << setting.key;
  }
  for (const Command& command : commands()) {
    EXPECT_NE(text.find("\n  " + std::string(command.name)), std::string::npos) << command.name;
    EXPECT_EQ(find_command(command.name), &command);
  }
  EXPECT_EQ(find_command("./app"), nullptr);
}

TEST(Help, WrapsAtSpaces) {
  EXPECT_EQ(wrapped("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(wrapped("unbreakable", 2, 5), "  unbreakable\n");
  EXPECT_EQ(wrapped("", 2), "");
}

}  // namespace
}  // namespace tightwire::cli
