// What stands behind our functions: MPI's own, and tools between us and MPI.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "interpose/profiling_tool.h"

namespace tightwire::interpose {

// The next definition of `name` after this library's. Ends the process if there is none: then the
// library was loaded into a program whose MPI is of another family.
template <class Function>
Function real(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) {
    std::fprintf(stderr,
                 "tightwire: this program's MPI library has no %s; it is not of the family that "
                 "this preload library was built for. Ask `tightwire doctor` about the program.\n",
                 name);
    std::_Exit(2);
  }
  return reinterpret_cast<Function>(symbol);
}

// A tool's function that the program would reach without us, or nullptr: the call is the tool's
// first, and comes back by the profiling name (MPI 4.0, section 15.2).
template <class Function>
Function tool(const char* name, const char* profiling_name) {
  return reinterpret_cast<Function>(function_of_tool(dlsym(RTLD_NEXT, name), profiling_name));
}

}  // namespace tightwire::interpose
