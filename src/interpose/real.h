// MPI's own functions, behind ours.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

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

}  // namespace tightwire::interpose
