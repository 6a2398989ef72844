#include "collective/operation/on_devices/movements.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "collective/move/broadcast.h"
#include "collective/move/incoming_block.h"
#include "collective/move/outgoing_block.h"
#include "collective/plan/movement_plan.h"
#include "mpi/byte_view.h"
#include "mpi/device/coded_buffer.h"
#include "mpi/error.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {
namespace {

// Blocks of a scatter that are on their way at once, while the next one is encoded.
constexpr std::size_t blocks_at_once = 4;

Schedule<> bcast_from_device(const FromRootOnDevices& plan, const mpi::ByteView& view,
                             const BroadcastMessage& message, Work& work) {
  mpi::SentHistory history;
  const SentFromDevice& sent = plan.sent.front();
  work.largest_bound = sent.encoding.parameters.error_bound;
  FrameEncoder encoder(*plan.decision.communicator, view.bytes(), message.chunks, sent.encoding,
                       history, {mpi::coded_buffer_at(view.bytes().data()), sent.range});
  co_await broadcast_from_root(*plan.decision.communicator, message, encoder, work.traffic);
  note_from_root_on_devices(plan, work.traffic);
}

// What could not be copied others have been told of.
void check(const std::shared_ptr<mpi::CodedBuffer>& buffer) {
  if (buffer != nullptr && buffer->has_failed()) throw mpi::MpiError{MPI_ERR_BUFFER};
}

// What has come is where it belongs.
void deliver(const std::shared_ptr<mpi::CodedBuffer>& there, const mpi::ByteView& view) {
  there != nullptr ? there->set_decoded() : view.store();
}

Schedule<> bcast_to_devices(const FromRootOnDevices& plan, const mpi::ByteView& view,
                            const BroadcastMessage& message, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const auto there = mpi::coded_buffer_at(view.bytes().data());
  FrameDecoder decoder(communicator, message.root, message.values, message.chunks);
  decoder.decode_on(there);
  const codec::Id tried =
      co_await broadcast_to_others(communicator, message, decoder, work.health, work.traffic);
  work.plan = plan_seen(work.plan, tried);
  note_from_root_on_devices(plan, work.traffic);
  if (!work.health.failed()) deliver(there, view);
}

// The root's own block, which stays with it.
void take_own(const mpi::Buffer& own, const mpi::Buffer& block, const void* all,
              mpi::Communicator& communicator) {
  const auto from = mpi::coded_buffer_at(all);
  from->fetch(block.host_bytes());
  mpi::copy(block, own, communicator);
  const auto to = mpi::coded_buffer_at(own.address);
  if (to == nullptr) return;
  to->put(own.host_bytes());
  to->set_decoded();
}

Schedule<> scatter_from_device(const FromRootOnDevices& plan, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const auto there = mpi::coded_buffer_at(plan.sent.front().values.address);
  std::deque<std::unique_ptr<OutgoingBlock>> blocks;
  for (int step = 1; step < communicator.size; ++step) {
    const int peer = (communicator.rank + step) % communicator.size;
    const SentFromDevice& sent = plan.sent[static_cast<std::size_t>(peer)];
    work.largest_bound = std::max(work.largest_bound, sent.encoding.parameters.error_bound);
    BlockToSend message;
    message.peer = peer;
    message.values = sent.values.host_bytes();
    message.encoding = sent.encoding;
    message.chunks = plan.chunks;
    message.history = std::make_unique<mpi::SentHistory>();
    message.on_device = {there, sent.range};
    if (blocks.size() == blocks_at_once) {
      co_await blocks.front()->drain();
      blocks.pop_front();
    }
    blocks.push_back(
        std::make_unique<OutgoingBlock>(communicator, std::move(message), work.traffic));
    for (std::size_t chunk = 0; chunk < plan.chunks;) {
      chunk = co_await blocks.back()->send(chunk);
    }
  }
  for (const auto& block : blocks) {
    co_await block->drain();
  }
  note_from_root_on_devices(plan, work.traffic);
}

Schedule<> scatter_to_device(const FromRootOnDevices& plan, const mpi::Buffer& own, int root,
                             Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const mpi::ByteView view(own, communicator);
  BlockToReceive message;
  message.peer = root;
  message.values = view.bytes();
  message.chunks = plan.chunks;
  message.on_device = mpi::coded_buffer_at(view.bytes().data());
  IncomingBlock block(communicator, message, work.health);
  for (std::size_t chunk = 0; chunk < plan.chunks;) {
    chunk = co_await block.take(chunk);
  }
  co_await block.drain();
  work.plan = plan_seen(work.plan, block.tried());
  note_from_root_on_devices(plan, work.traffic);
  if (!work.health.failed()) deliver(message.on_device, view);
}

}  // namespace

Schedule<> bcast_on_devices_schedule(const FromRootOnDevices& plan, const mpi::Buffer& buffer,
                                     int root, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const mpi::ByteView view(buffer, communicator);
  const policy::Tree tree =
      policy::best_tree(communicator.rank, root, communicator.size, plan.chunks);
  const auto part = communicator.rank == root ? bcast_from_device : bcast_to_devices;
  const BroadcastMessage message{root, tree, view.bytes(), plan.chunks};
  co_await part(plan, view, message, work);
  check(mpi::coded_buffer_at(view.bytes().data()));
}

Schedule<> scatter_on_devices_schedule(const FromRootOnDevices& plan, const mpi::Buffer& own,
                                       const Blocks& all, int root, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  ++communicator.calls;
  if (communicator.rank == root) {
    co_await scatter_from_device(plan, work);
  } else {
    co_await scatter_to_device(plan, own, root, work);
  }
  const bool is_root = communicator.rank == root;
  check(mpi::coded_buffer_at(is_root ? all.of(0).address : own.address));
  if (is_root && !own.in_place()) take_own(own, all.of(root), all.of(0).address, communicator);
}

}  // namespace tightwire::collective
