#include "cli/family.h"

namespace tightwire::cli {

std::string_view key_of(Family family) {
  return family == Family::openmpi ? "openmpi" : "mpich";
}

std::string_view title_of(Family family) {
  return family == Family::openmpi ? "Open MPI" : "MPICH";
}

std::optional<Family> family_named(std::string_view key) {
  for (const Family family : families) {
    if (key == key_of(family)) return family;
  }
  return std::nullopt;
}

std::optional<Family> family_of_library(std::string_view name) {
  if (!name.starts_with("libmpi")) return std::nullopt;
  if (name.ends_with(".so.40")) return Family::openmpi;
  if (name.ends_with(".so.12")) return Family::mpich;
  return std::nullopt;
}

std::string preload_name(Family family) {
  return "libtightwire-" + std::string(key_of(family)) + ".so";
}

}  // namespace tightwire::cli
