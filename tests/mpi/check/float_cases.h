// Reductions and broadcasts of floating-point data, held against the true answer and the bound.
#pragma once

#include "checker.h"
#include "data.h"
#include "judge.h"
#include "perform.h"

namespace check {

// The MPI type of `components` (1, or 2 for complex) values of T.
template <class T>
[[nodiscard]] MPI_Datatype mpi_type(int components);
template <>
MPI_Datatype mpi_type<float>(int components);
template <>
MPI_Datatype mpi_type<double>(int components);

// The range of the finite values of all ranks, which a relative bound is a part of. Collective.
template <class T>
[[nodiscard]] double range_of_all(MPI_Comm comm, std::span<const T> own);

// A value in decimal and to the last bit.
template <class T>
[[nodiscard]] std::string bits_text(T value);

struct FloatReduction {
  MPI_Comm comm = MPI_COMM_WORLD;
  Form form = Form::allreduce;
  int root = 0;
  FloatOp op = FloatOp::sum;
  Pattern pattern = Pattern::smooth;
  int count = 0;       // elements
  int components = 1;  // per element; 2 with sum only
};
template <class T>
void check_reduction(Checker& checker, const FloatReduction& wanted);

struct FloatBcast {
  MPI_Comm comm = MPI_COMM_WORLD;
  int root = 0;
  Pattern pattern = Pattern::smooth;
  int count = 0;
  int components = 1;
};
template <class T>
void check_bcast(Checker& checker, const FloatBcast& wanted);

// The element counts worth trying: none, few, around the number of ranks, around every size at
// which the treatment of messages changes.
[[nodiscard]] std::vector<int> counts_to_try(const Options& options, std::size_t element_size,
                                             int ranks);

}  // namespace check
