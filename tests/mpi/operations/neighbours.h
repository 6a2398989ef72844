#pragma once

#include <mpi.h>

#include <string>

#include "checker.h"

namespace operations {

void check_neighbours(Checker& checker, MPI_Comm comm, const std::string& comm_name);

}  // namespace operations
