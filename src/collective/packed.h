// A buffer of any datatype as a row of bytes and back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "collective/communicator.h"

namespace tightwire::collective {

// `bytes` is count x the type's size. `communicator` must not be in use by another thread: a
// message to oneself goes over it. All throw MpiError.
void pack(Communicator& communicator, const void* buffer, int count, MPI_Datatype datatype,
          std::span<std::byte> bytes);
void unpack(Communicator& communicator, std::span<const std::byte> bytes, void* buffer, int count,
            MPI_Datatype datatype);

// From one layout to another of the same signature.
void convert(Communicator& communicator, const void* from, int from_count, MPI_Datatype from_type,
             void* to, int to_count, MPI_Datatype to_type);

}  // namespace tightwire::collective
