#include "calibrate/measure/plain_mpi.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace tightwire::calibrate {
namespace {

[[noreturn]] void no_library(const char* what) {
  std::fprintf(stderr, "tightwire: cannot find %s in the MPI library\n", what);
  std::abort();
}

// The library that holds a function which nobody stands in front of.
void* mpi_library() {
  void* const known = dlsym(RTLD_DEFAULT, "MPI_Wtick");
  Dl_info info{};
  if (known == nullptr || dladdr(known, &info) == 0) no_library("MPI_Wtick");
  void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) no_library(info.dli_fname);
  return library;
}

Functions find_all() {
  Functions functions;
  find_plain("PMPI_Allreduce", functions.allreduce);
  find_plain("PMPI_Reduce", functions.reduce);
  find_plain("PMPI_Bcast", functions.bcast);
  find_plain("PMPI_Allgather", functions.allgather);
  find_plain("PMPI_Alltoall", functions.alltoall);
  find_plain("PMPI_Reduce_scatter", functions.reduce_scatter);
  find_plain("PMPI_Scatter", functions.scatter);
  find_plain("PMPI_Gather", functions.gather);
  find_plain("PMPI_Send", functions.send);
  find_plain("PMPI_Recv", functions.recv);
  find_plain("PMPI_Isend", functions.isend);
  find_plain("PMPI_Irecv", functions.irecv);
  find_plain("PMPI_Waitall", functions.waitall);
  return functions;
}

}  // namespace

void* plain_function(const char* name) {
  static void* const library = mpi_library();
  void* const found = dlsym(library, name);
  if (found == nullptr) no_library(name);
  return found;
}

const Functions& called_by_programs() {
  static const Functions functions{
      &MPI_Allreduce,      &MPI_Reduce,  &MPI_Bcast,  &MPI_Allgather, &MPI_Alltoall,
      &MPI_Reduce_scatter, &MPI_Scatter, &MPI_Gather, &MPI_Send,      &MPI_Recv,
      &MPI_Isend,          &MPI_Irecv,   &MPI_Waitall};
  return functions;
}

const Functions& plain_mpi() {
  static const Functions functions = find_all();
  return functions;
}

}  // namespace tightwire::calibrate
