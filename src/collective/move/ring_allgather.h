// Every rank's block to all ranks, over a ring: encoded once by its owner, handed on as it arrived,
// decoded at every rank. The owner decodes its own frames too, so that all ranks hold the same
// bits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codec/encoding.h"
#include "collective/history/frames_on_device.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/slot.h"
#include "mpi/communicator/communicator.h"
#include "mpi/error.h"
#include "mpi/history/sent_history.h"

namespace tightwire::collective {

struct GatheredBlock {
  std::span<std::byte> values;  // where the block goes
  std::size_t chunks = 1;       // the same on all ranks; 0 for a block of no bytes
};

// This rank's contribution.
struct OwnBlock {
  std::span<const std::byte> values;  // in its block, or the program's own memory elsewhere
  const codec::Encoding& encoding;
  mpi::SentHistory& history;  // of messages to all others
  // False, for codings that give back the same bits: the values themselves are what is gathered.
  bool decode = true;
  ValuesOnDevice on_device{};  // as of FrameEncoder
  // Where a GPU is to have all blocks, as of FrameDecoder::decode_on().
  std::shared_ptr<mpi::CodedBuffer> gathered_on = nullptr;
};

// Throws MpiError; failures of frames are noted in `health`.
Schedule<> ring_allgather(mpi::Communicator& communicator, const std::vector<GatheredBlock>& blocks,
                          const OwnBlock& own, mpi::Health& health, Traffic& traffic);

}  // namespace tightwire::collective
