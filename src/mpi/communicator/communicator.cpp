#include "mpi/communicator/communicator.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/node_lanes.h"
#include "mpi/communicator/private/world.h"
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
  // Where it may not wait for the others, not what this rank alone remembers of this run.
  policy::Network network = tags == Tags::agreed ? remembered_network(communicator.participants)
                                                 : runtime::current().lessons.earlier().network;
  if (runtime::current().settings.link.given()) {
    network.bandwidth = runtime::stated_network().bandwidth;
    network.rough = false;
  }
  return network;
}

// Numbers them, and says who is where.
void seat(Communicator& communicator) {
  const Participants& participants = communicator.participants;
  if (!participants.are_between()) {
    communicator.hosts = communicator.route.get();
    check(PMPI_Comm_rank(participants.comm, &communicator.rank));
    check(PMPI_Comm_size(participants.comm, &communicator.size));
    return;
  }
  Roster roster = roster_of(participants);
  communicator.rank = roster.rank;
  communicator.size = static_cast<int>(roster.world_ranks.size());
  communicator.others_first = roster.others_first;
  communicator.others = roster.others;
  communicator.program_ranks = std::move(roster.program_ranks);
  communicator.between =
      std::make_unique<const HostMap>(std::move(roster.world_ranks), roster.rank);
  communicator.hosts = communicator.between.get();
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

int Communicator::comparable_size() const {
  const bool all = participants.who == Participants::Who::both_groups;
  return all ? 1 + std::max(others, size - others) : size;
}

int Communicator::size_of_tree() const {
  const NodeLanes* const hosts_apart = lanes();
  return hosts_apart != nullptr ? hosts_apart->hosts() : comparable_size();
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

Communicator& communicator_of(const Participants& participants) {
  return *state_of(participants.comm).communicator(participants, Tags::agreed);
}

std::shared_ptr<Communicator> communicator_at_once(const Participants& participants) {
  return state_of(participants.comm).communicator(participants, Tags::elected);
}

std::shared_ptr<Communicator> made_communicator(MPI_Comm user) {
  return state_of(user).made_communicator();
}

Communicator* known_communicator(MPI_Comm user) {
  CommunicatorState* const state = find_state(user);
  return state != nullptr ? state->known_communicator() : nullptr;
}

std::shared_ptr<Communicator> make_communicator(const Participants& participants,
                                                std::shared_ptr<const Route> route,
                                                Learned& learned, Tags tags) {
  std::shared_ptr<Communicator> made(new Communicator, [](const Communicator* communicator) {
    release(*communicator);
    delete communicator;
  });
  made->participants = participants;
  made->route = std::move(route);
  made->learned = &learned;
  seat(*made);
  if (!made->hosts->usable() || private_world() == MPI_COMM_NULL) return made;
  TagBlock agreed;
  if (tags == Tags::elected) {
    made->election = std::make_unique<TagElection>(participants.comm);
  } else {
    agreed = agree_on_tags(participants);
    if (!agreed) return made;
  }
  made->comm = private_world();
  made->addresses = made->hosts->world_ranks();
  if (!participants.are_between()) made->node_lanes = make_node_lanes(*made);
  set_tags(*made, agreed);
  made->weighs_times = weighs_times();
  made->network = first_network(*made, tags);
  return made;
}

void settle_tags(Communicator& communicator) {
  end_election(communicator);
  if (!communicator.usable() || communicator.first_tag != 0) return;
  set_tags(communicator, agree_on_tags(communicator.participants));
  if (communicator.first_tag == 0) communicator.comm = MPI_COMM_NULL;
}

Place place_in(MPI_Comm comm, int root) {
  if (comm == MPI_COMM_NULL) return {};
  // Nothing is asked of MPI_COMM_SELF, whose attributes MPI_Finalize deletes one after another.
  if (comm == MPI_COMM_SELF) return {root == 0, root == 0, 1, 0, 1, {comm}};
  const Membership& own = state_of(comm).membership(comm);
  return {!own.is_inter && root >= 0 && root < own.size,
          own.rank == root,
          own.size,
          own.rank,
          own.size,
          {comm}};
}

namespace {

// nullptr where there is but one group.
const Membership* between_groups(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return nullptr;
  const Membership& own = state_of(comm).membership(comm);
  return own.is_inter ? &own : nullptr;
}

}  // namespace

Place place_of_all(MPI_Comm comm) {
  const Membership* const own = between_groups(comm);
  if (own == nullptr) return place_in(comm, 0);
  return {true, false, own->size, own->rank, own->others, {comm, Participants::Who::both_groups}};
}

Place place_of_bcast(MPI_Comm comm, int root) {
  const Membership* const own = between_groups(comm);
  if (own == nullptr) return place_in(comm, root);
  const bool takes_part = root == MPI_ROOT || (root >= 0 && root < own->others);
  return {takes_part, root == MPI_ROOT, own->size,
          own->rank,  own->others,      {comm, Participants::Who::root_and_others, root}};
}

}  // namespace tightwire::mpi
