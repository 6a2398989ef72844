// Inside of src/settings: tightwire.toml as assignments, not yet parsed as settings.
#pragma once

#include <string>
#include <vector>

#include "settings/settings.h"

namespace tightwire::settings {

struct Assignment {
  std::string key;
  std::string text;
  std::string place;  // "tightwire.toml:3"
};

// Reads the file and returns what it assigns. Where it was not `named` by the user, a missing file
// is no problem, and one that others could have written is passed over with a note. A file with a
// syntax error gives a problem and no assignments. `loaded` gets rules, problems, notes and the
// file's name.
[[nodiscard]] std::vector<Assignment> read_config_file(const std::string& path, bool named,
                                                       Loaded& loaded);

}  // namespace tightwire::settings
