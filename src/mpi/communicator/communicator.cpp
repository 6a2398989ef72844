#include "mpi/communicator/communicator.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "mpi/communicator/node_lanes.h"
#include "mpi/communicator/private_copy.h"
#include "mpi/error.h"
#include "mpi/network_probe.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

int delete_communicator(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<Communicator> communicator(static_cast<Communicator*>(attribute));
  if (communicator->node_lanes) release(*communicator->node_lanes);
  return communicator->usable() ? PMPI_Comm_free(&communicator->comm) : MPI_SUCCESS;
}

int key() {
  // Attributes are not copied to duplicates: each communicator gets its own private one.
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_communicator, &created, nullptr));
    return created;
  }();
  return key;
}

// The node of each rank. Empty where a communicator is left to MPI: it is an intercommunicator, or
// not all its ranks are known.
std::vector<int> nodes_of(MPI_Comm user) {
  int inter = 0;
  check(PMPI_Comm_test_inter(user, &inter));
  return inter != 0 ? std::vector<int>{} : runtime::current().nodes.nodes_of(user);
}

// For each rank, whether it is worth compressing for.
std::vector<bool> ranks_across(const std::vector<int>& nodes, int rank) {
  const bool same_host_too = runtime::current().settings.same_host == settings::SameHost::compress;
  std::vector<bool> across;
  across.reserve(nodes.size());
  for (const int node : nodes) {
    across.push_back(same_host_too || node != nodes[static_cast<std::size_t>(rank)]);
  }
  return across;
}

// All ranks see the same: some pair is across the network exactly if any rank has such a peer.
bool worth_a_private_one(const std::vector<bool>& across) {
  return across.size() > 1 && std::find(across.begin(), across.end(), true) != across.end();
}

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
  void* attribute = nullptr;
  int found = 0;
  check(PMPI_Comm_get_attr(user, key(), static_cast<void*>(&attribute), &found));
  if (found != 0) return *static_cast<Communicator*>(attribute);

  auto made = std::make_unique<Communicator>();
  made->user = user;
  check(PMPI_Comm_rank(user, &made->rank));
  check(PMPI_Comm_size(user, &made->size));
  const std::vector<int> nodes = nodes_of(user);
  made->across = ranks_across(nodes, made->rank);
  if (worth_a_private_one(made->across)) {
    made->comm = private_copy(user);
    made->node_lanes = make_node_lanes(made->comm, made->rank, nodes);
    made->network = network_of(made->comm);
  }
  check(PMPI_Comm_set_attr(user, key(), made.get()));
  return *made.release();
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

void release_world() {
  void* attribute = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, key(), static_cast<void*>(&attribute), &found);
  if (found != 0) PMPI_Comm_delete_attr(MPI_COMM_WORLD, key());
}

}  // namespace tightwire::mpi
