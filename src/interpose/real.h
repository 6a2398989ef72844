// What stands behind our functions: MPI's own, and tools between us and MPI.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "interpose/profiling_tool.h"

namespace tightwire::interpose {

// The next definition of `name` after this library's; without one, what serves `instead`. Without
// that the process ends: the library was loaded into a program whose MPI is of another family, or
// is older than what the program calls.
template <class Function>
Function real(const char* name, Function instead = nullptr) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr && instead != nullptr) return instead;
  if (symbol == nullptr) {
    std::fprintf(
        stderr,
        "tightwire: this program's MPI library has no %s: it is older than that, or not of "
        "the family that this preload library was built for. Ask `tightwire doctor` about "
        "the program.\n",
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
