#include "cli/launch/handover.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace tightwire::cli {
namespace {

void set(const std::string& name, const std::string& value) {
  ::setenv(name.c_str(), value.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
}

std::string get(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return value == nullptr ? "" : value;
}

}  // namespace

void hand_over_settings(const Options& options, const settings::Loaded& loaded) {
  std::string keys = get("TIGHTWIRE_COMMAND_LINE");
  for (const auto& [key, value] : options.settings) {
    for (const settings::Description& description : settings::descriptions()) {
      if (description.key == key) set(description.variable, value);
    }
    keys += (keys.empty() ? "" : ",") + key;
  }
  if (!options.settings.empty()) set("TIGHTWIRE_COMMAND_LINE", keys);

  if (loaded.config_file.empty()) {
    // What was passed over here is not to be judged again by every rank.
    if (!loaded.notes.empty()) set("TIGHTWIRE_CONFIG", "/dev/null");
    return;
  }
  std::error_code error;
  const auto absolute = std::filesystem::absolute(loaded.config_file, error);
  set("TIGHTWIRE_CONFIG", error ? loaded.config_file : absolute.string());
}

std::string with_preload(const std::string& library, const std::string& preload) {
  std::string separated = preload;
  std::replace(separated.begin(), separated.end(), ':', ' ');
  std::istringstream words(separated);
  for (std::string word; words >> word;) {
    if (word == library) return preload;
  }
  return preload.empty() ? library : preload + ":" + library;
}

void hand_over_preload(const std::string& library) {
  set("LD_PRELOAD", with_preload(library, get("LD_PRELOAD")));
}

bool can_be_preloaded(const std::string& library) {
  return library.find_first_of(" :\t") == std::string::npos;
}

}  // namespace tightwire::cli
