// Gather, Scatter and Alltoall: block by block, in frames.
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "collective/move/exchange.h"
#include "collective/move/partners.h"
#include "collective/operation/on_devices/movements.h"
#include "collective/operation/on_devices/on_either_side.h"
#include "collective/plan/movement_plan.h"
#include "mpi/byte_view.h"

namespace tightwire::collective {
namespace {

// Blocks that are on their way at once, while the next one is encoded.
constexpr std::size_t blocks_behind = 4;

class DeviceExchange {
 public:
  DeviceExchange(const MovementOnDevices& plan, const std::vector<Partners>& partners,
                 const DeviceSides& sides, Work& work)
      : plan_(plan),
        communicator_(*plan.decision.communicator),
        partners_(partners),
        sides_(sides),
        work_(work) {}

  Schedule<> run() {
    ++communicator_.calls;
    const Steps steps{
        static_cast<int>(partners_.size()),
        [this](int step) { return outgoing(partners_[static_cast<std::size_t>(step)]); },
        [this](int step) { return incoming(partners_[static_cast<std::size_t>(step)]); },
        [this](int, Arrival) { received(); }, blocks_behind};
    const codec::Id tried = co_await exchange(communicator_, steps, work_.health, work_.traffic);
    if (plan_.sent.empty()) work_.plan = plan_seen(work_.plan, tried);
    note_movement_on_devices(plan_, work_.traffic);
  }

 private:
  std::optional<BlockToSend> outgoing(const Partners& partners) {
    if (partners.send_to == MPI_PROC_NULL) return std::nullopt;
    const std::size_t which =
        plan_.sent.size() > 1 ? static_cast<std::size_t>(partners.send_to) : 0;
    const SentFromDevice& sent = plan_.sent[which];
    work_.largest_bound = std::max(work_.largest_bound, sent.encoding.parameters.error_bound);
    BlockToSend block;
    block.peer = partners.send_to;
    block.values = sent.values.host_bytes();
    block.encoding = sent.encoding;
    block.chunks = plan_.chunks;
    block.history = std::make_unique<mpi::SentHistory>();
    block.on_device = {sides_.from, sent.range};
    return block;
  }

  std::optional<BlockToReceive> incoming(const Partners& partners) {
    if (partners.receive_from == MPI_PROC_NULL) return std::nullopt;
    const mpi::ByteView& view = receiving_.emplace_back(partners.receive, communicator_);
    BlockToReceive block;
    block.peer = partners.receive_from;
    block.values = view.bytes();
    block.chunks = plan_.chunks;
    block.on_device = sides_.to;
    return block;
  }

  void received() {
    if (sides_.to == nullptr && !work_.health.failed()) receiving_.front().store();
    receiving_.pop_front();
  }

  const MovementOnDevices& plan_;
  mpi::Communicator& communicator_;
  const std::vector<Partners>& partners_;
  const DeviceSides& sides_;
  Work& work_;
  std::deque<mpi::ByteView> receiving_;  // of steps under way, in order
};

// A rank's own block, which stays with it, goes by way of the host.
void keep(const mpi::Buffer& from, const void* image, const mpi::Buffer& to,
          const DeviceSides& sides, mpi::Communicator& communicator) {
  fetch_part(from, image);
  mpi::copy(from, to, communicator);
  if (sides.to != nullptr) sides.to->put(to.host_bytes());
}

// At the root, when all others have been served.
void keep_own(const RootedMessage& message, const DeviceSides& sides,
              mpi::Communicator& communicator) {
  const void* const all = message.all.of(0).address;
  const mpi::Buffer block = message.all.of(message.root);
  if (message.own.in_place()) {
    // Whoever puts all of the image there puts this, too.
    if (message.to_root && sides.to == nullptr) fetch_part(block, all);
  } else if (message.to_root) {
    keep(message.own, message.own.address, block, sides, communicator);
  } else {
    keep(block, all, message.own, sides, communicator);
  }
}

Schedule<> exchange_on_devices(const MovementOnDevices& plan, RootedMessage message, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const bool is_root = communicator.rank == message.root;
  const auto own = message.own.in_place() ? nullptr : device_side_of(message.own);
  const auto all = is_root ? device_side_of(message.all.of(0)) : nullptr;
  const DeviceSides sides = message.to_root ? DeviceSides{own, all} : DeviceSides{all, own};
  const std::vector<Partners> partners = partners_of_root(message, communicator);
  DeviceExchange exchange(plan, partners, sides, work);
  co_await exchange.run();
  if (is_root) keep_own(message, sides, communicator);
  finish(sides, work);
}

}  // namespace

Schedule<> gather_on_devices_schedule(const MovementOnDevices& plan, const mpi::Buffer& own,
                                      const Blocks& all, int root, Work& work) {
  return exchange_on_devices(plan, {own, all, root, true}, work);
}

Schedule<> scatter_on_devices_schedule(const MovementOnDevices& plan, const mpi::Buffer& own,
                                       const Blocks& all, int root, Work& work) {
  return exchange_on_devices(plan, {own, all, root, false}, work);
}

Schedule<> alltoall_on_devices_schedule(const MovementOnDevices& plan, const Blocks& from,
                                        const Blocks& to, Work& work) {
  mpi::Communicator& communicator = *plan.decision.communicator;
  const int rank = communicator.rank;
  const DeviceSides sides{device_side_of(from.of(0)), device_side_of(to.of(0))};
  const std::vector<Partners> partners = partners_of_all(from, to, communicator);
  DeviceExchange exchange(plan, partners, sides, work);
  co_await exchange.run();
  keep(from.of(rank), from.of(0).address, to.of(rank), sides, communicator);
  finish(sides, work);
}

}  // namespace tightwire::collective
