// Messages between pairs of ranks, in steps: at each step a rank sends to one partner and receives
// from another. What Gather, Scatter and Alltoall are made of.
//
// Several messages that are only sent are encoded at once where this rank has threads for it: one
// for each partner may be too short for more than a few.
//
// A message is cut into chunks, each a frame: encoded while the one before is on the wire, decoded
// while the next one arrives. Receives are posted a step ahead, so no rank waits for a buffer that
// depends on a later step of its partner: there is no cycle.
#pragma once

#include <functional>
#include <optional>

#include "collective/move/incoming_block.h"
#include "collective/move/outgoing_block.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"

namespace tightwire::collective {

// How a message came: in frames to BlockToReceive's `values`, or without to what that has for such;
// and what was told of the next one like it.
struct Arrival {
  bool unframed = false;
  policy::NextMessage next = policy::NextMessage::in_frames;
};

// One rank's part of a step. Either may be missing. Called once for each step, in order; `outgoing`
// values are read until `behind` steps after it are over, or until `encoded` is called.
struct Steps {
  int count = 0;
  std::function<std::optional<BlockToSend>(int step)> outgoing;
  std::function<std::optional<BlockToReceive>(int step)> incoming;
  // When all of the step's incoming message is there.
  std::function<void(int step, Arrival arrival)> received;
  // Steps whose messages may still be on their way in the next one.
  std::size_t behind = 1;
  // If given, several steps' outgoing values may be there at once, and this is called when those of
  // a step are not read any more, in order.
  std::function<void(int step)> encoded = nullptr;
  // Then messages of later steps may leave while one is waited for. No two of these have the same
  // partner.
  bool run_ahead = false;
};

// The call has been counted: frames name it. Throws MpiError; failures of frames are noted in
// `health`. Returns the codec that the senders of the incoming messages tried; that of the last, if
// they differ.
Schedule<codec::Id> exchange(mpi::Communicator& communicator, const Steps& steps,
                             mpi::Health& health, Traffic& traffic);

}  // namespace tightwire::collective
