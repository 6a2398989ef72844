// A buffer of any datatype as a row of bytes and back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace tightwire::mpi {

// `bytes` is count x the type's size, of any size. `comm` must not be in use by another
// thread: a message to oneself goes over it. All throw MpiError.
void mpi_pack(MPI_Comm comm, const void* buffer, std::ptrdiff_t count, MPI_Datatype datatype,
              std::span<std::byte> bytes);
void mpi_unpack(MPI_Comm comm, std::span<const std::byte> bytes, void* buffer, std::ptrdiff_t count,
                MPI_Datatype datatype);

}  // namespace tightwire::mpi
