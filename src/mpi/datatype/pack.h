// A buffer of any datatype to contiguous bytes and back. `bytes` is as long as the buffer's
// signature, and may be longer than int can count. All throw MpiError.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "mpi/buffer.h"

namespace tightwire::mpi {

// By the datatype's layout where that is known, else by MPI on the private communicator of this
// process. Thread safe; while the datatype cache is open.
void pack(const Buffer& buffer, std::span<std::byte> bytes);
void unpack(std::span<const std::byte> bytes, const Buffer& buffer);

// By MPI, on that communicator. Thread safe.
void pack_by_mpi(const Buffer& buffer, std::span<std::byte> bytes);
void unpack_by_mpi(std::span<const std::byte> bytes, const Buffer& buffer);

}  // namespace tightwire::mpi
