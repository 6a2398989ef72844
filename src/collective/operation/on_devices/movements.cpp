#include "collective/operation/on_devices/movements.h"

#include "collective/move/broadcast.h"
#include "collective/operation/gathered_views.h"
#include "collective/operation/on_devices/on_either_side.h"
#include "collective/plan/movement_plan.h"
#include "mpi/byte_view.h"
#include "policy/cost/tree.h"

namespace tightwire::collective {
namespace {

Schedule<> bcast_from_device(const MovementOnDevices& plan, const DeviceSides& sides,
                             const BroadcastMessage& message, Work& work) {
  mpi::SentHistory history;
  const SentFromDevice& sent = plan.sent.front();
  work.largest_bound = sent.encoding.parameters.error_bound;
  FrameEncoder encoder(*plan.decision.communicator, message.values, message.chunks, sent.encoding,
                       history, {sides.from, sent.range});
  co_await broadcast_from_root(*plan.decision.communicator, message, encoder, work.traffic);
}

Schedule<> bcast_to_devices(const MovementOnDevices& plan, const DeviceSides& sides,
                            const BroadcastMessage& message, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  FrameDecoder decoder(communicator, message.root, message.values, message.chunks);
  decoder.decode_on(sides.to);
  const codec::Id tried =
      co_await broadcast_to_others(communicator, message, decoder, work.health, work.traffic);
  work.plan = plan_seen(work.plan, tried);
}

}  // namespace

Schedule<> bcast_on_devices_schedule(const MovementOnDevices& plan, const mpi::Buffer& buffer,
                                     int root, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const bool is_root = communicator.rank == root;
  const mpi::ByteView view(buffer, communicator);
  const auto side = device_side_of(buffer);
  const DeviceSides sides = is_root ? DeviceSides{side, nullptr} : DeviceSides{nullptr, side};
  const std::vector<policy::Tree> trees = broadcast_trees(communicator, root, {plan.chunks});
  const auto part = is_root ? bcast_from_device : bcast_to_devices;
  const BroadcastMessage message{root, trees, view.bytes(), plan.chunks};
  co_await part(plan, sides, message, work);
  note_movement_on_devices(plan, work.traffic);
  if (!is_root && side == nullptr && !work.health.failed()) view.store();
  finish(sides, work);
}

Schedule<> allgather_on_devices_schedule(const MovementOnDevices& plan, const mpi::Buffer& own,
                                         const Blocks& all, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const auto to = device_side_of(all.of(0));
  const DeviceSides sides{own.in_place() ? to : device_side_of(own), to};
  const GatheredViews gathered(all, communicator, [&](std::size_t) { return plan.chunks; });
  mpi::SentHistory history;
  const SentFromDevice& sent = plan.sent.front();
  work.largest_bound = sent.encoding.parameters.error_bound;
  const OwnBlock own_block{.values = sent.values.host_bytes(),
                           .encoding = sent.encoding,
                           .history = history,
                           .on_device = {sides.from, sent.range},
                           .gathered_on = sides.to};
  co_await ring_allgather(communicator, gathered.blocks, own_block, work.health, work.traffic);
  note_movement_on_devices(plan, work.traffic);
  if (sides.to == nullptr && !work.health.failed()) {
    for (const mpi::ByteView& view : gathered.views) view.store();
  }
  finish(sides, work);
}

}  // namespace tightwire::collective
