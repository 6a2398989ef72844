#include "mpi/communicator/communicator.h"

#include <memory>

#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/node_lanes.h"
#include "mpi/communicator/private_world.h"
#include "mpi/error.h"
#include "mpi/network_probe.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

constexpr int probe_tag = 8;

// Trying things out on one host, everything is worth while unless the user states a link.
policy::Network network_of(const Communicator& communicator) {
  const settings::Settings& settings = runtime::current().settings;
  const bool trial = settings.same_host == settings::SameHost::compress;
  if (trial && !settings.link.given()) return {};
  if (runtime::is_deterministic()) return runtime::stated_network();
  const int size = communicator.size;
  const int left = communicator.address((communicator.rank + size - 1) % size);
  const int right = communicator.address((communicator.rank + 1) % size);
  policy::Network network = measured_network(
      {communicator.user, communicator.comm, left, right, communicator.tag(probe_tag)});
  if (settings.link.given()) network.bandwidth = settings.link.bits_per_second / 8;
  return network;
}

}  // namespace

BufferPool& scratch_of_all() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const pool = new BufferPool(BufferPool::Fit::any);
  return *pool;
}

Communicator::Communicator() = default;
Communicator::~Communicator() = default;

NodeLanes* Communicator::lanes() const {
  return runtime::current().settings.lanes == settings::Switch::on ? node_lanes.get() : nullptr;
}

bool is_adaptive(const Communicator& communicator, settings::Mode mode) {
  return settings::is_adaptive(mode) && communicator.network.known();
}

Communicator& communicator_of(MPI_Comm user) {
  return state_of(user).communicator(user);
}

std::unique_ptr<Communicator> make_communicator(MPI_Comm user, const HostMap& hosts,
                                                Learned& learned) {
  auto made = std::make_unique<Communicator>();
  made->user = user;
  made->hosts = &hosts;
  made->learned = &learned;
  check(PMPI_Comm_rank(user, &made->rank));
  check(PMPI_Comm_size(user, &made->size));
  if (!hosts.usable() || private_world() == MPI_COMM_NULL) return made;
  const TagBlock tags = agree_on_tags(user);
  if (!tags) return made;
  made->comm = private_world();
  made->first_tag = tags.first;
  made->addresses = hosts.world_ranks();
  made->node_lanes = make_node_lanes(*made);
  made->network = network_of(*made);
  return made;
}

// Where a call was given up MPI may still hold receives with such tags: they are not used again.
void release(const Communicator& communicator) {
  const NodeLanes* const lanes = communicator.node_lanes.get();
  const bool gave_up =
      communicator.gave_up || (lanes != nullptr && (lanes->inside.gave_up || lanes->lane.gave_up));
  if (communicator.usable() && !gave_up) give_back({communicator.first_tag});
}

Place place_in(MPI_Comm comm, int root) {
  if (comm == MPI_COMM_NULL) return {};
  // Nothing is asked of MPI_COMM_SELF, whose attributes MPI_Finalize deletes one after another.
  if (comm == MPI_COMM_SELF) return {root == 0, root == 0, 1};
  const Membership& own = state_of(comm).membership(comm);
  return {!own.is_inter && root >= 0 && root < own.size, own.rank == root, own.size};
}

}  // namespace tightwire::mpi
