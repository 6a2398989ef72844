// Moves values from one rank to all others along a tree: encoded once at the root, handed on as
// they arrived, expanded at every rank. In chunks, so that encoding, transfer and the levels of the
// tree overlap.
#pragma once

#include <cstddef>
#include <span>

#include "collective/reduce/frame_reducer.h"
#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {

// `values` are read at the root and written elsewhere. `encoding` is the root's alone (null
// elsewhere): the frames say how they are coded, so the others need not know the element type.
// Returns the codec that the root tried. Throws MpiError; failures of frames are noted in `health`.
Schedule<codec::Id> broadcast(mpi::Communicator& communicator, const policy::Tree& tree,
                              const codec::Encoding* encoding, std::span<std::byte> values,
                              std::size_t chunks, mpi::Health& health, Traffic& traffic);

}  // namespace tightwire::collective
