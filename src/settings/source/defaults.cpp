#include "settings/source/defaults.h"

namespace tightwire::settings {

Settings defaults() {
  Settings settings;
  for (const Description& one : descriptions()) {
    static_cast<void>(assign(settings, one.key, one.default_value, "default"));
  }
  return settings;
}

std::vector<std::pair<std::string, std::string>> changed(const Settings& settings) {
  const Settings usual = defaults();
  std::vector<std::pair<std::string, std::string>> all;
  for (const Description& one : descriptions()) {
    if (one.type == "FilePath") continue;
    const auto value = value_of(settings, one.key);
    if (value && value != value_of(usual, one.key)) all.emplace_back(one.key, *value);
  }
  return all;
}

}  // namespace tightwire::settings
