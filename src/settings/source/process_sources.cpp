#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "settings/settings.h"

namespace tightwire::settings {
namespace {

std::optional<std::string> variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::vector<std::string> names_of_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

// "mode,error-bound" names "mode".
bool names_key(std::string_view list, std::string_view key) {
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == key) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

Sources process_sources() {
  Sources sources;
  const std::string given = variable("TIGHTWIRE_COMMAND_LINE").value_or("");
  std::vector<std::string> moved;
  for (const Description& description : descriptions()) {
    if (!names_key(given, description.key)) continue;
    if (const auto value = variable(description.variable)) {
      sources.command_line.emplace_back(description.key, *value);
      moved.push_back(description.variable);
    }
  }
  sources.environment = [moved](const std::string& name) {
    const bool is_moved = std::find(moved.begin(), moved.end(), name) != moved.end();
    return is_moved ? std::nullopt : variable(name);
  };
  sources.environment_names = names_of_variables();
  sources.config_file = variable("TIGHTWIRE_CONFIG").value_or("");
  return sources;
}

}  // namespace tightwire::settings
