// The MPI library for a program that is linked to none, as Python is, which loads it later.
//
// A preload library that needs its MPI by name brings it along. One that is to serve every MPI of
// its family (that of the Python package) needs none: what it calls is the program's own, and a
// program without one has to be given the library, before it could load another.
#pragma once

#include <string>
#include <vector>

#include "cli/launch/family.h"
#include "cli/program/program.h"

namespace tightwire::cli {

// Whether this preload library needs an MPI library by name.
[[nodiscard]] bool brings_mpi(const std::string& preload);

// By which names an MPI of this family is found, the first preferred.
[[nodiscard]] const std::vector<std::string>& mpi_libraries(Family family);

// Folders of libraries near `program`, the absolute path of one in <prefix>/bin.
[[nodiscard]] std::vector<std::string> library_folders_near(const std::string& program);

// The library's path: that of the mpirun that started this process, else that of the program's own
// environment (where pip puts it, and mpi4py looks), else what the dynamic loader finds. Empty if
// there is none.
[[nodiscard]] std::string find_mpi_library(Family family, const Program& program);

}  // namespace tightwire::cli
