#include "mpi/communicator/communicator.h"

#include <memory>

#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/node_lanes.h"
#include "mpi/communicator/private_copy.h"
#include "mpi/error.h"
#include "mpi/network_probe.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// Trying things out on one host, everything is worth while unless the user states a link.
policy::Network network_of(MPI_Comm comm) {
  const settings::Settings& settings = runtime::current().settings;
  const bool trial = settings.same_host == settings::SameHost::compress;
  if (trial && !settings.link.given()) return {};
  policy::Network network = measured_network(comm);
  if (settings.link.given()) network.bandwidth = settings.link.bits_per_second / 8;
  return network;
}

}  // namespace

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
  if (!hosts.usable()) return made;
  made->comm = private_copy(user);
  made->node_lanes = make_node_lanes(made->comm, made->rank, hosts.nodes());
  made->network = network_of(made->comm);
  return made;
}

int release(Communicator& communicator) {
  if (communicator.node_lanes) release(*communicator.node_lanes);
  return communicator.usable() ? PMPI_Comm_free(&communicator.comm) : MPI_SUCCESS;
}

Place place_in(MPI_Comm comm, int root) {
  Place place;
  if (comm == MPI_COMM_NULL) return place;
  int rank = 0;
  int inter = 0;
  check(PMPI_Comm_test_inter(comm, &inter));
  check(PMPI_Comm_rank(comm, &rank));
  check(PMPI_Comm_size(comm, &place.size));
  place.valid = inter == 0 && root >= 0 && root < place.size;
  place.is_root = rank == root;
  return place;
}

}  // namespace tightwire::mpi
