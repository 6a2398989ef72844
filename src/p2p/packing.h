// A buffer of any derived datatype to bytes and back: by its layout where that is known, else by
// MPI, on the private communicator of this process.
#pragma once

#include <cstddef>
#include <span>

#include "collective/view.h"

namespace tightwire::p2p {

// Thread safe. Throw MpiError.
void pack(const collective::UserBuffer& buffer, std::span<std::byte> bytes);
void unpack(std::span<const std::byte> bytes, const collective::UserBuffer& buffer);

}  // namespace tightwire::p2p
