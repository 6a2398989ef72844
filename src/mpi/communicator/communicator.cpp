#include "mpi/communicator/communicator.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/node_lanes.h"
#include "mpi/communicator/private_world.h"
#include "mpi/communicator/route.h"
#include "mpi/communicator/tags/tag_election.h"
#include "mpi/error.h"
#include "mpi/network_memory.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// Trying things out on one host, everything is worth while unless the user states a link.
bool weighs_times() {
  const settings::Settings& settings = runtime::current().settings;
  return settings.same_host != settings::SameHost::compress || settings.link.given();
}

policy::Network first_network(const Communicator& communicator, Tags tags) {
  if (!communicator.weighs_times) return {};
  if (runtime::is_deterministic()) return runtime::stated_network();
  // Where it may not wait for the others, not what this rank alone remembers.
  policy::Network network =
      tags == Tags::agreed ? remembered_network(communicator.user) : policy::Network{};
  if (runtime::current().settings.link.given()) {
    network.bandwidth = runtime::stated_network().bandwidth;
  }
  return network;
}

void set_tags(Communicator& communicator, TagBlock tags) {
  communicator.first_tag = tags.first;
  if (communicator.node_lanes != nullptr) set_tags_of_lanes(communicator);
}

// One thread may be in a call of the program's while another moves on what that has started.
void end_election(Communicator& communicator) {
  if (communicator.election == nullptr) return;
  while (!communicator.has_tags()) std::this_thread::yield();
  const std::scoped_lock lock(communicator.settling);
  if (communicator.first_tag == 0) set_tags(communicator, communicator.election->won());
}

// Where a call was given up MPI may still hold receives with such tags: they are not used again.
void release(const Communicator& communicator) {
  const NodeLanes* const lanes = communicator.node_lanes.get();
  const bool gave_up =
      communicator.gave_up || (lanes != nullptr && (lanes->inside.gave_up || lanes->lane.gave_up));
  if (communicator.first_tag != 0 && !gave_up) give_back({communicator.first_tag});
}

}  // namespace

BufferPool& scratch_of_all() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const pool = new BufferPool(BufferPool::Fit::any);
  return *pool;
}

namespace {

std::atomic<unsigned> communicators_made{0};

}  // namespace

Communicator::Communicator() : serial(communicators_made.fetch_add(1, std::memory_order_relaxed)) {}
Communicator::~Communicator() = default;

NodeLanes* Communicator::lanes() const {
  return runtime::current().settings.lanes == settings::Switch::on ? node_lanes.get() : nullptr;
}

bool is_adaptive(const Communicator& communicator, settings::Mode mode) {
  return settings::is_adaptive(mode) && communicator.weighs_times;
}

bool Communicator::has_tags() const {
  return election == nullptr || election->test();
}

void Communicator::await_tags() {
  end_election(*this);
  if (first_tag == 0) throw MpiError{MPI_ERR_INTERN};
}

Communicator& communicator_of(MPI_Comm user) {
  return *state_of(user).communicator(user, Tags::agreed);
}

std::shared_ptr<Communicator> communicator_at_once(MPI_Comm user) {
  return state_of(user).communicator(user, Tags::elected);
}

Communicator* known_communicator(MPI_Comm user) {
  CommunicatorState* const state = find_state(user);
  return state != nullptr ? state->known_communicator() : nullptr;
}

std::shared_ptr<Communicator> make_communicator(MPI_Comm user, std::shared_ptr<const Route> route,
                                                Learned& learned, Tags tags) {
  std::shared_ptr<Communicator> made(new Communicator, [](const Communicator* communicator) {
    release(*communicator);
    delete communicator;
  });
  made->user = user;
  made->hosts = route.get();
  made->route = std::move(route);
  made->learned = &learned;
  check(PMPI_Comm_rank(user, &made->rank));
  check(PMPI_Comm_size(user, &made->size));
  if (!made->hosts->usable() || private_world() == MPI_COMM_NULL) return made;
  TagBlock agreed;
  if (tags == Tags::elected) {
    made->election = std::make_unique<TagElection>(user);
  } else {
    agreed = agree_on_tags(user);
    if (!agreed) return made;
  }
  made->comm = private_world();
  made->addresses = made->hosts->world_ranks();
  made->node_lanes = make_node_lanes(*made);
  set_tags(*made, agreed);
  made->weighs_times = weighs_times();
  made->network = first_network(*made, tags);
  return made;
}

void settle_tags(Communicator& communicator) {
  end_election(communicator);
  if (!communicator.usable() || communicator.first_tag != 0) return;
  set_tags(communicator, agree_on_tags(communicator.user));
  if (communicator.first_tag == 0) communicator.comm = MPI_COMM_NULL;
}

Place place_in(MPI_Comm comm, int root) {
  if (comm == MPI_COMM_NULL) return {};
  // Nothing is asked of MPI_COMM_SELF, whose attributes MPI_Finalize deletes one after another.
  if (comm == MPI_COMM_SELF) return {root == 0, root == 0, 1, 0};
  const Membership& own = state_of(comm).membership(comm);
  return {!own.is_inter && root >= 0 && root < own.size, own.rank == root, own.size, own.rank};
}

}  // namespace tightwire::mpi
