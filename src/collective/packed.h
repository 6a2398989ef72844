// A buffer of any datatype as a row of bytes and back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

namespace tightwire::collective {

// `bytes` is count x the type's size. Both throw MpiError.
void pack(const void* buffer, int count, MPI_Datatype datatype, std::span<std::byte> bytes);
void unpack(std::span<const std::byte> bytes, void* buffer, int count, MPI_Datatype datatype);

}  // namespace tightwire::collective
