// Blocking collectives as MPICH 4.0 carries them out, of which SMPI's own choice for MPICH is
// another: there a Bcast of whatever size goes down a binomial tree, a Scatter sends the smallest
// subtree first, a Reduce_scatter takes numbers of values for bytes, an Allgather's ring sends each
// block to all others. Found by validation among eight hosts (docs/dev/simulation.md).
//
// Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH
// (IJHPCA 19, 2005), with the limits of MPICH 4.0's MPIR_CVAR_* as they are by default. The
// algorithms themselves are SMPI's, but for Scatter and Gather.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace tightwire::scale {

// The world's ranks by hosts: MPICH's Allreduce and Bcast go over hosts first. One for each rank of
// the job, made and used by all ranks together.
class Mpich {
 public:
  Mpich();

  // As the MPI_x of the same names over MPI_COMM_WORLD, of float, sums, root 0; MPI's error codes.
  int allreduce(const float* own, float* result, int count) const;
  int bcast(float* values, int count) const;
  static int reduce_scatter(const float* own, float* result, const int* counts);
  static int allgather(const float* own, float* result, int count_each);
  static int scatter(const float* own, float* result, int count_each);
  static int gather(const float* own, float* result, int count_each);

 private:
  MPI_Comm host_ = MPI_COMM_NULL;
  MPI_Comm leaders_ = MPI_COMM_NULL;  // the first rank of each host; null for the others
  bool shares_hosts_ = false;
};

}  // namespace tightwire::scale
