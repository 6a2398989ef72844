// The collectives between the two groups of an intercommunicator.
#pragma once

#include <mpi.h>

#include <string>

#include "checker.h"

namespace operations {

// `comm` is divided into two groups of different sizes. By functions that wait, and by those that
// return at once, after one that waits.
void check_between_groups(Checker& checker, MPI_Comm comm, const std::string& comm_name);
void check_between_groups_at_once(Checker& checker, MPI_Comm comm, const std::string& comm_name);

}  // namespace operations
