// A way of communicating: plain MPI, or Tightwire with some settings.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/measure/plain_mpi.h"

namespace tightwire::calibrate {

struct Mode {
  std::string name;
  bool plain = false;
  std::vector<std::pair<std::string, std::string>> settings;  // as for tightwire_set()
};

[[nodiscard]] const Functions& functions_of(const Mode& mode);

// Puts the mode's settings in force on this rank; all ranks must do so at the same place. Returns
// the setting that was refused, as "key = value".
[[nodiscard]] std::optional<std::string> apply(const Mode& mode);

}  // namespace tightwire::calibrate
