// The layout of a datatype's items, read from how the type was made.
#pragma once

#include <mpi.h>

#include <optional>

#include "mpi/datatype/strided_layout.h"

namespace tightwire::mpi {

// One item, its bytes in the order in which MPI packs them. Nothing for what is not understood:
// distributed arrays, predefined types with a gap between their values, very many blocks. Throws
// MpiError, std::bad_alloc. Thread safe.
[[nodiscard]] std::optional<StridedLayout> layout_of(MPI_Datatype datatype);

}  // namespace tightwire::mpi
