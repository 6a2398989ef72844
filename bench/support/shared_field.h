#pragma once

#include <string>

#include "calibrate/measure/world.h"
#include "fields/fields.h"
#include "support/measure.h"

namespace tightwire::bench {

// A field on all ranks: the first makes it if it is not in the folder yet, the others find it
// there. There must be one of this name. Throws std::runtime_error. Collective.
[[nodiscard]] inline fields::Field shared_field(const std::string& name, std::size_t bytes,
                                                const std::string& folder) {
  const fields::Kind& kind = *fields::find(name);
  if (world_rank() == 0) static_cast<void>(fields::cached(kind, bytes, folder));
  MPI_Barrier(MPI_COMM_WORLD);
  return fields::cached(kind, bytes, folder);
}

}  // namespace tightwire::bench
