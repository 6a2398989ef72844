// A buffer of any datatype as a row of bytes and back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "collective/communicator.h"

namespace tightwire::collective {

// `bytes` is count x the type's size, of any size. `communicator` must not be in use by another
// thread: a message to oneself goes over it. All throw MpiError.
void pack(Communicator& communicator, const void* buffer, std::ptrdiff_t count,
          MPI_Datatype datatype, std::span<std::byte> bytes);
void unpack(Communicator& communicator, std::span<const std::byte> bytes, void* buffer,
            std::ptrdiff_t count, MPI_Datatype datatype);

}  // namespace tightwire::collective
