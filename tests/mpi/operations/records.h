// Arrays of records with gaps between their fields, of one layout at the sender and of another at
// the receiver.
#pragma once

#include <mpi.h>

#include <string>

#include "checker.h"

namespace operations {

void check_records(Checker& checker, MPI_Comm comm, const std::string& comm_name);

}  // namespace operations
