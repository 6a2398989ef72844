#include "functions.h"

#include "calibrate/measure/plain_mpi.h"
#include "support/measure.h"

namespace overhead {

const Functions& called_by_programs() {
  static const Functions functions = [] {
    Functions found;
#define OVERHEAD_CALLED(name) found.name = &MPI_##name;
    OVERHEAD_CALLS(OVERHEAD_CALLED)
#undef OVERHEAD_CALLED
    return found;
  }();
  return functions;
}

const Functions& plain_mpi() {
  static const Functions functions = [] {
    Functions found;
#define OVERHEAD_PLAIN(name) tightwire::bench::find_plain("PMPI_" #name, found.name);
    OVERHEAD_CALLS(OVERHEAD_PLAIN)
#undef OVERHEAD_PLAIN
    return found;
  }();
  return functions;
}

}  // namespace overhead
