// The collectives as the program calls them: same arguments, same meaning, same errors as MPI's.
//
// Each decides from facts that all ranks share (policy::choose) whether the message is compressed;
// if not, the call goes to MPI as it came. Called under the interposition guard, so every PMPI_
// function used here is the real one. Thread safety is MPI's: one collective at a time on a
// communicator.
#pragma once

#include <mpi.h>

namespace tightwire::collective {

int allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm);

int reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm);

int bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);

}  // namespace tightwire::collective
