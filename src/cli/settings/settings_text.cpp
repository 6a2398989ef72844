#include "cli/settings/settings_text.h"

#include <algorithm>

namespace tightwire::cli {
namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

}  // namespace

std::string settings_list(const std::vector<settings::Entry>& entries) {
  std::size_t keys = 0;
  std::size_t values = 0;
  for (const settings::Entry& entry : entries) {
    keys = std::max(keys, entry.key.size());
    values = std::max(values, std::min<std::size_t>(entry.value.size(), 24));
  }
  std::string text;
  for (const settings::Entry& entry : entries) {
    text +=
        padded(entry.key, keys) + "  " + padded(entry.value, values) + "  " + entry.place + "\n";
  }
  return text;
}

std::string rules_list(const std::vector<settings::Rule>& rules) {
  std::string text;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    text += "rule " + std::to_string(i + 1) + "  " + settings::print(rules[i]) + "  " +
            rules[i].place + "\n";
  }
  return text;
}

std::string settings_markdown() {
  std::string text;
  std::string group;
  for (const settings::Description& setting : settings::descriptions()) {
    if (setting.for_tests) continue;
    if (setting.group != group) {
      group = setting.group;
      text += (text.empty() ? "### " : "\n### ") + group +
              "\n\n| Setting | Environment | Default | Meaning |\n|---|---|---|---|\n";
    }
    const std::string value =
        setting.default_value.empty() ? "(none)" : "`" + setting.default_value + "`";
    text += "| `" + setting.key + "` | `" + setting.variable + "` | " + value + " | " +
            setting.help + " |\n";
  }
  return text;
}

}  // namespace tightwire::cli
