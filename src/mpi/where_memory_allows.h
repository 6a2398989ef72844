// Work that nobody misses where it cannot be done.
#pragma once

#include <new>

#include "mpi/error.h"

namespace tightwire::mpi {

template <class Body>
void where_memory_allows(Body&& body) {
  try {
    body();
  } catch (const std::bad_alloc&) {
  }
}

// The same where MPI fails: what it complains of in a call of the program, it will complain of to
// the program. Without memory, `without_memory()` is run.
template <class Body, class WithoutMemory>
void where_possible(Body&& body, WithoutMemory&& without_memory) {
  try {
    body();
  } catch (const MpiError&) {
    return;
  } catch (const std::bad_alloc&) {
    without_memory();
  }
}
template <class Body>
void where_possible(Body&& body) {
  where_possible(body, [] {});
}

}  // namespace tightwire::mpi
