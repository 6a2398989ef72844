// Messages between pairs of ranks, in steps: at each step a rank sends to one partner and receives
// from another. What Gather, Scatter and Alltoall are made of.
//
// A message is cut into chunks, each a frame: encoded while the one before is on the wire, decoded
// while the next one arrives. Receives are posted a step ahead, so no rank waits for a buffer that
// depends on a later step of its partner: there is no cycle.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collective/reduce/frame_reducer.h"
#include "collective/transfer/slot.h"
#include "collective/transfer/tags.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"
#include "mpi/history/sent_history.h"

namespace tightwire::collective {

using EncodedFrame = std::vector<std::byte>;

// Of messages between the same two ranks, in the order of their steps, each has another `tag` than
// the one before.
struct BlockToSend {
  int peer = MPI_PROC_NULL;
  std::span<const std::byte> values;
  codec::Encoding encoding;
  std::size_t chunks = 1;
  int tag = exchange_tag;
  std::unique_ptr<mpi::SentHistory> history;  // of messages to this peer; there is one
  // Of what goes to several peers, the frames as they were made for the first of them, who finds
  // none.
  std::vector<EncodedFrame>* frames = nullptr;
};

struct BlockToReceive {
  int peer = MPI_PROC_NULL;
  std::span<std::byte> values;
  std::size_t chunks = 1;
  int tag = exchange_tag;
};

// One rank's part of a step. Either may be missing. Called once for each step, in order; `outgoing`
// values are read until the step after it is over.
struct Steps {
  int count = 0;
  std::function<std::optional<BlockToSend>(int step)> outgoing;
  std::function<std::optional<BlockToReceive>(int step)> incoming;
  // After all chunks of the step's incoming message are decoded.
  std::function<void(int step)> received;
};

// Throws MpiError; failures of frames are noted in `health`. Returns the codec that the senders of
// the incoming messages tried; that of the last, if they differ.
Schedule<codec::Id> exchange(mpi::Communicator& communicator, const Steps& steps,
                             mpi::Health& health, Traffic& traffic);

}  // namespace tightwire::collective
