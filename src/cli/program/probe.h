// Tries a shared library in a child process, so that a crash in it does no harm here.
#pragma once

#include <string>

namespace tightwire::cli {

// Loads it; returns what the dynamic loader says, or nothing if all went well.
[[nodiscard]] std::string try_to_load(const std::string& library);

// The path of the file that the dynamic loader takes for this name; empty if it does not load.
[[nodiscard]] std::string path_when_loaded(const std::string& name);

// What an MPI library says of itself, shortened to name and version: "Open MPI v4.1.4". Empty if it
// cannot be asked.
[[nodiscard]] std::string mpi_version(const std::string& library);

}  // namespace tightwire::cli
