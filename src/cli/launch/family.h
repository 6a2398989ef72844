// MPI families: which there are, and which a library belongs to.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tightwire::cli {

// abi: the standard ABI of MPI 5, which is the same in every MPI that has it.
enum class Family : unsigned char { openmpi, mpich, abi };

inline constexpr std::array families{Family::openmpi, Family::mpich, Family::abi};

inline constexpr std::string_view families_to_choose = "openmpi, mpich or abi";

[[nodiscard]] std::string_view key_of(Family family);  // "openmpi", as in --mpi openmpi
[[nodiscard]] std::string_view title_of(
    Family family);  // "Open MPI", "MPICH", "the standard MPI ABI"
[[nodiscard]] std::optional<Family> family_named(std::string_view key);

// Of a shared library's name: libmpi.so.40 is Open MPI 3 to 5; libmpich.so.12 and libmpi.so.12 (the
// name agreed on in the MPICH ABI initiative) are MPICH and its relatives; libmpi_abi.so.1 is the
// standard ABI, version 1 (MPI 5.0, chapter 20). Their Fortran libraries count as well.
[[nodiscard]] std::optional<Family> family_of_library(std::string_view name);

// libtightwire-openmpi.so
[[nodiscard]] std::string preload_name(Family family);

}  // namespace tightwire::cli
