// The settings of a job: read from command line > environment > tightwire.toml > defaults.
// No MPI. Nothing here prints or exits; what is wrong is returned as Problems.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/rules.h"
#include "settings/values.h"

namespace tightwire::settings {

struct Settings {
#define TIGHTWIRE_SETTING(field, key, Type, default_text, help) Type field{};
#include "settings/settings.def"
#undef TIGHTWIRE_SETTING
  bool operator==(const Settings&) const = default;
};

// "tightwire: error-bound = "-1" (command line): is negative; give a positive number ..."
[[nodiscard]] std::string describe(const Problem& problem);

// A setting as it stands, and where it came from ("default" when from nowhere else).
struct Entry {
  std::string key;
  std::string value;
  std::string place;
};

// Read where it lies in the current folder and no other is named.
inline constexpr const char* default_file = "tightwire.toml";

struct Sources {
  // Options as given, key without the dashes; later ones win.
  std::vector<std::pair<std::string, std::string>> command_line;
  // Returns nothing for a variable that is not set.
  std::function<std::optional<std::string>(const std::string& name)> environment;
  // Names of all variables that are set, to notice unknown TIGHTWIRE_ ones.
  std::vector<std::string> environment_names;
  // Empty: default_file, if there is one and none but the user and root could have written it. A
  // named file must exist.
  std::string config_file;
};

// The environment of this process, with TIGHTWIRE_CONFIG as config_file. Keys named in
// TIGHTWIRE_COMMAND_LINE (comma separated; the launcher sets it) count as from the command line.
[[nodiscard]] Sources process_sources();

struct Loaded {
  Settings settings;
  std::vector<Entry> entries;  // in the order of settings.def
  std::vector<Rule> rules;     // in the order of the file: the first that matches counts
  std::vector<Problem> problems;
  std::string config_file;         // that was read; empty if none was
  std::vector<std::string> notes;  // what the user should know, as sentences without the name
};

[[nodiscard]] Loaded load(const Sources& sources);

// Sets one field from text, for tightwire_set(). Nothing changes if a Problem is returned.
[[nodiscard]] std::optional<Problem> assign(Settings& settings, std::string_view key,
                                            std::string_view value, std::string_view place);

// The value as assign() takes it; nothing if there is no such setting.
[[nodiscard]] std::optional<std::string> value_of(const Settings& settings, std::string_view key);

// "key=value\n" for every setting, in order: equal text means equal settings.
[[nodiscard]] std::string canonical(const Settings& settings);

// Of what decides about messages: the same in a later run that writes other files.
[[nodiscard]] std::uint64_t hash_of(const Settings& settings);

// What the generated documentation and --help say of each setting.
struct Description {
  std::string key;
  std::string variable;  // TIGHTWIRE_...
  std::string default_value;
  std::string help;
  std::string type;        // of values.h: "Mode", "Bytes", ...
  std::string group;       // "Codecs"
  bool for_tests = false;  // it is neither in --help nor in the documentation
};
[[nodiscard]] const std::vector<Description>& descriptions();

}  // namespace tightwire::settings
