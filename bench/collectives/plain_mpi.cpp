#include "collectives/plain_mpi.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace tightwire::bench {
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

template <class Function>
void find(void* library, const char* name, Function& function) {
  void* const found = dlsym(library, name);
  if (found == nullptr) no_library(name);
  function = reinterpret_cast<Function>(found);
}

Functions find_all() {
  void* const library = mpi_library();
  Functions functions;
  find(library, "PMPI_Allreduce", functions.allreduce);
  find(library, "PMPI_Reduce", functions.reduce);
  find(library, "PMPI_Bcast", functions.bcast);
  return functions;
}

}  // namespace

const Functions& called_by_programs() {
  static const Functions functions{&MPI_Allreduce, &MPI_Reduce, &MPI_Bcast};
  return functions;
}

const Functions& plain_mpi() {
  static const Functions functions = find_all();
  return functions;
}

}  // namespace tightwire::bench
