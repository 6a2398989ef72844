#include "threads/operations.h"

#include <array>

namespace tightwire::threads_bench {
namespace {

using bench::Functions;

void allreduce(const Functions& mpi, Buffers& b) {
  mpi.allreduce(b.own.data(), b.result.data(), b.count(), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

void bcast(const Functions& mpi, Buffers& b) {
  float* const values = b.rank == 0 ? b.own.data() : b.result.data();
  mpi.bcast(values, b.count(), MPI_FLOAT, 0, MPI_COMM_WORLD);
}

void allgather(const Functions& mpi, Buffers& b) {
  mpi.allgather(b.own.data(), b.share(), MPI_FLOAT, b.result.data(), b.share(), MPI_FLOAT,
                MPI_COMM_WORLD);
}

void alltoall(const Functions& mpi, Buffers& b) {
  mpi.alltoall(b.own.data(), b.share(), MPI_FLOAT, b.result.data(), b.share(), MPI_FLOAT,
               MPI_COMM_WORLD);
}

void scatter(const Functions& mpi, Buffers& b) {
  mpi.scatter(b.own.data(), b.share(), MPI_FLOAT, b.result.data(), b.share(), MPI_FLOAT, 0,
              MPI_COMM_WORLD);
}

void gather(const Functions& mpi, Buffers& b) {
  mpi.gather(b.own.data(), b.share(), MPI_FLOAT, b.result.data(), b.share(), MPI_FLOAT, 0,
             MPI_COMM_WORLD);
}

void message(const Functions& mpi, Buffers& b) {
  if (b.rank == 0) mpi.send(b.own.data(), b.count(), MPI_FLOAT, 1, 0, MPI_COMM_WORLD);
  if (b.rank == 1) {
    mpi.recv(b.result.data(), b.count(), MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

}  // namespace

std::span<const Operation> all_operations() {
  static constexpr std::array operations{
      Operation{"allreduce", "auto", allreduce}, Operation{"bcast", "auto", bcast},
      Operation{"allgather", "auto", allgather}, Operation{"alltoall", "auto", alltoall},
      Operation{"scatter", "auto", scatter},     Operation{"gather", "auto", gather},
      Operation{"message", "8", message},
  };
  return operations;
}

}  // namespace tightwire::threads_bench
