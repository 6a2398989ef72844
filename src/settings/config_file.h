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

// Reads the file and adds to what it finds. Where `required` is false a missing file is no problem.
// A file with a syntax error gives a problem and no assignments.
void read_config_file(const std::string& path, bool required, std::vector<Assignment>& assignments,
                      std::vector<Problem>& problems);

}  // namespace tightwire::settings
