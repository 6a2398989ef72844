// What the values of a datatype are, so that packed ones can be coded as such.
#pragma once

#include <mpi.h>

#include <optional>

#include "mpi/datatype/predefined_type.h"

namespace tightwire::mpi {

// The one predefined type that a datatype, derived by whatever steps, consists of; nothing where
// there are several, or one that is not contiguous. Thread safe. Throws MpiError.
[[nodiscard]] std::optional<PredefinedType> element_of(MPI_Datatype datatype);

}  // namespace tightwire::mpi
