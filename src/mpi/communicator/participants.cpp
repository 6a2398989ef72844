#include "mpi/communicator/participants.h"

#include <algorithm>
#include <numeric>

#include "mpi/communicator/host_map.h"
#include "mpi/error.h"

namespace tightwire::mpi {
namespace {

template <class Number>
class Agreement {
 public:
  Agreement(const Participants& participants, std::span<Number> numbers, MPI_Datatype type,
            MPI_Op op)
      : comm_(participants.comm),
        numbers_(numbers),
        count_(static_cast<int>(numbers.size())),
        type_(type),
        op_(op) {}

  void in_group() const {
    check(PMPI_Allreduce(MPI_IN_PLACE, numbers_.data(), count_, type_, op_, comm_));
  }

  // Each group gets the other one's numbers. From those it gets its own the same way.
  void between_groups() const {
    std::vector<Number> others(numbers_.size());
    check(PMPI_Allreduce(numbers_.data(), others.data(), count_, type_, op_, comm_));
    check(PMPI_Allreduce(others.data(), numbers_.data(), count_, type_, op_, comm_));
    add(others);
  }

  // The rest of the root's group has no part in either call.
  void with_root(int root) const {
    std::vector<Number> others(numbers_.size());
    check(PMPI_Reduce(numbers_.data(), others.data(), count_, type_, op_, root, comm_));
    if (root == MPI_ROOT) add(others);
    check(PMPI_Bcast(numbers_.data(), count_, type_, root, comm_));
  }

 private:
  void add(const std::vector<Number>& others) const {
    check(PMPI_Reduce_local(others.data(), numbers_.data(), count_, type_, op_));
  }

  MPI_Comm comm_;
  std::span<Number> numbers_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
};

template <class Number>
void agree_on(const Participants& participants, std::span<Number> numbers, MPI_Datatype type,
              MPI_Op op) {
  const Agreement<Number> agreement(participants, numbers, type, op);
  switch (participants.who) {
    case Participants::Who::group:
      return agreement.in_group();
    case Participants::Who::both_groups:
      return agreement.between_groups();
    case Participants::Who::root_and_others:
      return agreement.with_root(participants.root);
  }
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(PMPI_Comm_rank(comm, &rank));
  return rank;
}

void add_group(Roster& roster, const std::vector<int>& world_ranks) {
  for (int rank = 0; rank < static_cast<int>(world_ranks.size()); ++rank) {
    roster.world_ranks.push_back(world_ranks[static_cast<std::size_t>(rank)]);
    roster.program_ranks.push_back(rank);
  }
}

Roster roster_of_both(MPI_Comm comm) {
  const std::vector<int> own = world_ranks_of(comm);
  const std::vector<int> others = remote_world_ranks_of(comm);
  const bool own_first = own.front() < others.front();
  Roster roster;
  add_group(roster, own_first ? own : others);
  add_group(roster, own_first ? others : own);
  roster.rank = rank_in(comm) + static_cast<int>(own_first ? 0 : others.size());
  roster.others_first = static_cast<int>(own_first ? own.size() : 0);
  roster.others = static_cast<int>(others.size());
  return roster;
}

Roster roster_with_root(MPI_Comm comm, int root) {
  const bool is_root = root == MPI_ROOT;
  const std::vector<int> own = world_ranks_of(comm);
  const std::vector<int> others = remote_world_ranks_of(comm);
  const int root_rank = is_root ? rank_in(comm) : root;
  const std::vector<int>& of_root = is_root ? own : others;
  Roster roster;
  roster.world_ranks.push_back(of_root[static_cast<std::size_t>(root_rank)]);
  roster.program_ranks.push_back(root_rank);
  add_group(roster, is_root ? others : own);
  roster.rank = is_root ? 0 : 1 + rank_in(comm);
  roster.others_first = is_root ? 1 : 0;
  roster.others = static_cast<int>(is_root ? others.size() : 1);
  return roster;
}

}  // namespace

void Participants::agree(std::span<int> numbers, MPI_Op op) const {
  agree_on(*this, numbers, MPI_INT, op);
}

void Participants::agree(std::span<double> numbers, MPI_Op op) const {
  agree_on(*this, numbers, MPI_DOUBLE, op);
}

Roster roster_of(const Participants& participants) {
  const bool all = participants.who == Participants::Who::both_groups;
  return all ? roster_of_both(participants.comm)
             : roster_with_root(participants.comm, participants.root);
}

}  // namespace tightwire::mpi
