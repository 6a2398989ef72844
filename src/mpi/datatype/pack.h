// A buffer of any derived datatype to bytes and back: by its layout where that is known, else by
// MPI, on the private communicator of this process.
#pragma once

#include <cstddef>
#include <span>

#include "mpi/buffer.h"

namespace tightwire::mpi {

// Thread safe. Throw MpiError.
void pack(const Buffer& buffer, std::span<std::byte> bytes);
void unpack(std::span<const std::byte> bytes, const Buffer& buffer);

}  // namespace tightwire::mpi
