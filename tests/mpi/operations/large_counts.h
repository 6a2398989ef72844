// MPI 4's forms with wider counts, where the MPI has them.
#pragma once

#include <mpi.h>

#include <string>

#include "checker.h"

namespace operations {

void check_large_counts(Checker& checker, MPI_Comm comm, const std::string& comm_name);

}  // namespace operations
