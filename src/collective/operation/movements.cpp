#include "collective/operation/movements.h"

#include <optional>
#include <vector>

#include "collective/history/encoding_in_time.h"
#include "collective/move/block_exchange.h"
#include "collective/move/broadcast.h"
#include "collective/move/ring_allgather.h"
#include "collective/operation/gathered_views.h"
#include "collective/operation/saved_blocks.h"
#include "mpi/byte_view.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {
namespace {

// The own block's values where the program has them as they are sent; else they must be copied to
// where they are gathered before they are.
std::optional<std::span<const std::byte>> values_elsewhere(const mpi::Buffer& source,
                                                           const mpi::Buffer& gathered) {
  const bool elsewhere =
      !source.in_place() && mpi::predefined(source.datatype) && source.bytes() == gathered.bytes();
  if (!elsewhere) return std::nullopt;
  return source.host_bytes();
}

Schedule<> bcast_from_root(const MovementPlan& plan, const mpi::ByteView& view,
                           const BroadcastMessage& message, Work& work) {
  view.load_in_pieces();
  mpi::SentHistory history;
  const SenderEncoding sender = encoding_to_others(plan, view.type(), view.bytes(), history);
  work.largest_bound = sender.encoding.parameters.error_bound;
  work.plan = sender.plan;
  FrameEncoder encoder(*plan.communicator, message.values, message.chunks, sender.encoding,
                       history);
  co_await broadcast_from_root(*plan.communicator, message, encoder, work.traffic);
  // The others have been told of what could not be copied from a device.
  mpi::wait_for_pieces(message.values);
}

Schedule<> bcast_to_others(const MovementPlan& plan, const mpi::ByteView& view,
                           const BroadcastMessage& message, Work& work) {
  FrameDecoder decoder(*plan.communicator, message.root, message.values, message.chunks);
  const codec::Id tried =
      co_await broadcast_to_others(*plan.communicator, message, decoder, work.health, work.traffic);
  work.plan = plan_seen(work.plan, tried);
  if (!work.health.failed()) view.store();
}

Schedule<> exchange_with_root(const MovementPlan& plan, RootedMessage message, Work& work) {
  mpi::Communicator& communicator = *plan.communicator;
  const std::vector<Partners> steps = partners_of_root(message, communicator);
  co_await exchange_blocks(plan, steps, work);
  if (communicator.rank != message.root || message.own.in_place()) co_return;
  const mpi::Buffer block = message.all.of(message.root);
  message.to_root ? mpi::copy(message.own, block, communicator)
                  : mpi::copy(block, message.own, communicator);
}

}  // namespace

Schedule<> bcast_schedule(const MovementPlan& plan, const mpi::Buffer& buffer, int root,
                          Work& work) {
  mpi::Communicator& communicator = *plan.communicator;
  const mpi::ByteView view(buffer, communicator);
  const MessagePlan planned = plan_message(plan, view.bytes().size());
  const std::vector<policy::Tree> trees = broadcast_trees(communicator, root, planned.moved);
  const auto part = communicator.rank == root ? bcast_from_root : bcast_to_others;
  const BroadcastMessage message{root, trees, view.bytes(), planned.moved.chunks};
  co_await part(plan, view, message, work);
  plan.note(work.traffic);
}

Schedule<> allgather_schedule(const MovementPlan& plan, const mpi::Buffer& own, const Blocks& all,
                              Work& work) {
  mpi::Communicator& communicator = *plan.communicator;
  const mpi::Buffer block = all.of(communicator.rank);
  const auto elsewhere = values_elsewhere(own, block);
  if (!elsewhere && !own.in_place()) mpi::copy(own, block, communicator);
  const GatheredViews gathered(
      all, communicator, [&](std::size_t bytes) { return plan_message(plan, bytes).moved.chunks; });
  const mpi::ByteView& view = gathered.views[static_cast<std::size_t>(communicator.rank)];
  if (!elsewhere) view.load();
  const std::span<const std::byte> values = elsewhere.value_or(view.bytes());
  mpi::SentHistory history;
  const SenderEncoding sender = encoding_to_others(plan, view.type(), values, history);
  work.plan = sender.plan;
  work.largest_bound = sender.encoding.parameters.error_bound;
  const bool lossy = sender.encoding.codec->lossy();
  const OwnBlock own_block{values, sender.encoding, history, lossy};
  co_await ring_allgather(communicator, gathered.blocks, own_block, work.health, work.traffic);
  plan.note(work.traffic);
  if (work.health.failed()) co_return;
  for (const mpi::ByteView& each : gathered.views) {
    if (&each != &view || lossy || elsewhere) each.store();
  }
}

Schedule<> gather_schedule(const MovementPlan& plan, const mpi::Buffer& own, const Blocks& all,
                           int root, Work& work) {
  return exchange_with_root(plan, {own, all, root, true}, work);
}

Schedule<> scatter_schedule(const MovementPlan& plan, const mpi::Buffer& own, const Blocks& all,
                            int root, Work& work) {
  return exchange_with_root(plan, {own, all, root, false}, work);
}

Schedule<> alltoall_schedule(const MovementPlan& plan, const Blocks& from, const Blocks& to,
                             Work& work) {
  mpi::Communicator& communicator = *plan.communicator;
  const int rank = communicator.rank;
  const SavedBlocks saved(from, to, communicator);
  const std::vector<Partners> steps = partners_of_all(saved, to, communicator);
  co_await exchange_blocks(plan, steps, work);
  // Last: where it cannot be had the others have what is theirs.
  if (!from.in_place()) mpi::copy(from.of(rank), to.of(rank), communicator);
}

}  // namespace tightwire::collective
