#include "cli/launch/family.h"

namespace tightwire::cli {

namespace {

struct Names {
  std::string_view key;
  std::string_view title;
};

constexpr Names names_of(Family family) {
  switch (family) {
    case Family::openmpi:
      return {"openmpi", "Open MPI"};
    case Family::mpich:
      return {"mpich", "MPICH"};
    case Family::abi:
      break;
  }
  return {"abi", "the standard MPI ABI"};
}

}  // namespace

std::string_view key_of(Family family) {
  return names_of(family).key;
}

std::string_view title_of(Family family) {
  return names_of(family).title;
}

std::optional<Family> family_named(std::string_view key) {
  for (const Family family : families) {
    if (key == key_of(family)) return family;
  }
  return std::nullopt;
}

std::optional<Family> family_of_library(std::string_view name) {
  if (!name.starts_with("libmpi")) return std::nullopt;
  if (name.ends_with("_abi.so.1")) return Family::abi;
  if (name.ends_with(".so.40")) return Family::openmpi;
  if (name.ends_with(".so.12")) return Family::mpich;
  return std::nullopt;
}

std::string preload_name(Family family) {
  return "libtightwire-" + std::string(key_of(family)) + ".so";
}

}  // namespace tightwire::cli
