// Which MPI a job runs on, in a word or two.
#pragma once

#include <string>

namespace tightwire::runtime {

// "Open MPI v4.1.4", "MPICH Version: 4.0.2"; empty if MPI does not tell.
[[nodiscard]] std::string mpi_name();

}  // namespace tightwire::runtime
