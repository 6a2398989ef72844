// MPI families: which there are, and which a library belongs to.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tightwire::cli {

enum class Family : unsigned char { openmpi, mpich };

inline constexpr std::array families{Family::openmpi, Family::mpich};

[[nodiscard]] std::string_view key_of(Family family);    // "openmpi", as in --mpi openmpi
[[nodiscard]] std::string_view title_of(Family family);  // "Open MPI", "MPICH"
[[nodiscard]] std::optional<Family> family_named(std::string_view key);

// Of a shared library's name: libmpi.so.40 is Open MPI 3 to 5; libmpich.so.12 and libmpi.so.12 (the
// name agreed on in the MPICH ABI initiative) are MPICH and its relatives. Their Fortran libraries
// count as well.
[[nodiscard]] std::optional<Family> family_of_library(std::string_view name);

// libtightwire-openmpi.so
[[nodiscard]] std::string preload_name(Family family);

}  // namespace tightwire::cli
