// Moves values from one rank to all others along a tree: encoded once at the root, handed on as
// they arrived, expanded at every rank. In chunks, so that coding, transfer and the levels of the
// tree overlap.
#pragma once

#include <cstddef>
#include <span>

#include "collective/communicator.h"
#include "collective/failure.h"
#include "collective/hop.h"
#include "collective/mailbox.h"
#include "policy/tree.h"

namespace tightwire::collective {

// `values` are read at the root and written elsewhere. `coding` is the root's alone (null
// elsewhere): the frames say how they are coded, so the others need not know the element type.
// Returns the codec that the root tried. Throws MpiError; failures of frames are noted in `health`.
codec::Id broadcast(Communicator& communicator, const policy::Tree& tree, const Coding* coding,
                    std::span<std::byte> values, std::size_t chunks, Health& health,
                    Traffic& traffic);

}  // namespace tightwire::collective
