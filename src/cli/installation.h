// Where the parts of Tightwire lie: found from the place of the running executable, so that a whole
// installation, or a build folder, can be moved.
#pragma once

#include <optional>
#include <string>

#include "cli/launch/family.h"

namespace tightwire::cli {

class Installation {
 public:
  // That of the running executable.
  Installation();
  // One whose commands lie in this folder, for tests.
  explicit Installation(std::string commands) : commands_(std::move(commands)) {}

  // Absolute paths; nothing if the file is not there.
  [[nodiscard]] std::optional<std::string> preload(Family family) const;
  [[nodiscard]] std::optional<std::string> helper(const std::string& name) const;  // a program
  [[nodiscard]] std::optional<std::string> script(const std::string& name) const;  // plot.py

  // That of a source tree, which has an environment with what the scripts need; nothing if this is
  // no build folder inside one.
  [[nodiscard]] std::optional<std::string> python() const;

  // Where preload() looks, for messages.
  [[nodiscard]] std::string library_folder() const;

 private:
  [[nodiscard]] bool in_source_tree() const;

  std::string commands_;
};

}  // namespace tightwire::cli
