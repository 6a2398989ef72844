// Moves values from one rank to all others along a tree or two: encoded once at the root, handed on
// as they arrived, decoded at every rank. In chunks, so that encoding, transfer and the levels of
// the tree overlap.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collective/history/frame_decoder.h"
#include "collective/history/frame_encoder.h"
#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {

// What goes from the root to all others, along trees whose chunks take turns.
struct BroadcastMessage {
  int root;
  std::span<const policy::Tree> trees;
  std::span<std::byte> values;  // read at the root, written elsewhere
  std::size_t chunks;
};

// Where this rank is in the trees that such a message goes along: the same on all ranks.
[[nodiscard]] std::vector<policy::Tree> broadcast_trees(const mpi::Communicator& communicator,
                                                        int root, const policy::HandedOn& message);

// The root's part: `encoder` has the message. Both throw MpiError.
Schedule<> broadcast_from_root(mpi::Communicator& communicator, const BroadcastMessage& message,
                               FrameEncoder& encoder, Traffic& traffic);
// The others': the frames say how they are coded. Returns the codec that the root tried; failures
// of frames are noted in `health`.
Schedule<codec::Id> broadcast_to_others(mpi::Communicator& communicator,
                                        const BroadcastMessage& message, FrameDecoder& decoder,
                                        mpi::Health& health, Traffic& traffic);

}  // namespace tightwire::collective
