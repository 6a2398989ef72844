#include "communicators.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace semantics {
namespace {

thread_local HandlerCalls handler_calls;

void note_error(MPI_Comm* /*comm*/, int* code, ...) {
  ++handler_calls.calls;
  MPI_Error_class(*code, &handler_calls.error_class);
}

int same(int /*rank*/) {
  return 0;
}
int parity(int rank) {
  return rank % 2;
}
int own(int rank) {
  return rank;
}
int reversed(int rank) {
  return -rank;
}

Communicator duplicate(MPI_Comm world) {
  Communicator made;
  MPI_Comm_dup(world, &made.handle);
  int size = 0;
  MPI_Comm_size(world, &size);
  made.members.resize(static_cast<std::size_t>(size));
  std::iota(made.members.begin(), made.members.end(), 0);
  return made;
}

// Even ranks talk to odd ones.
Communicator parted(MPI_Comm world) {
  Communicator made;
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Comm local = MPI_COMM_NULL;
  MPI_Comm_split(world, parity(rank), rank, &local);
  MPI_Intercomm_create(local, 0, world, rank % 2 == 0 ? 1 : 0, 77, &made.handle);
  MPI_Comm_free(&local);
  for (int i = 0; i < size; ++i) {
    made.members.push_back(i);
    made.side.push_back(parity(i));
  }
  return made;
}

}  // namespace

HandlerCalls take_handler_calls() {
  return std::exchange(handler_calls, {});
}

bool Communicator::has(int world_rank) const {
  return std::find(members.begin(), members.end(), world_rank) != members.end();
}

bool Communicator::connects(int source, int destination) const {
  if (!has(source) || !has(destination)) return false;
  return !between_groups() || parity(source) != parity(destination);
}

int Communicator::rank_of(int world_rank) const {
  if (between_groups()) return world_rank / 2;
  return static_cast<int>(std::find(members.begin(), members.end(), world_rank) - members.begin());
}

int Communicator::world_rank(int rank, int observer) const {
  if (between_groups()) return 2 * rank + 1 - parity(observer);
  return rank >= 0 && rank < static_cast<int>(members.size())
             ? members[static_cast<std::size_t>(rank)]
             : -1;
}

Communicators::Communicators(MPI_Comm world) {
  int size = 0;
  MPI_Comm_size(world, &size);
  MPI_Comm_create_errhandler(note_error, &handler_);
  MPI_Comm_dup(world, &control_);
  all_.push_back(duplicate(world));
  all_.push_back(duplicate(world));
  all_.back().user_error_handler = true;
  add_split(world, parity, own);
  add_split(world, same, reversed);
  if (size > 1) all_.push_back(parted(world));
  all_.push_back(duplicate(world));  // renewed
  for (const Communicator& comm : all_) {
    if (comm.handle == MPI_COMM_NULL) continue;
    MPI_Comm_set_errhandler(comm.handle, comm.user_error_handler ? handler_ : MPI_ERRORS_RETURN);
  }
}

// One entry for each color, so that all ranks know of all of them.
void Communicators::add_split(MPI_Comm world, int color_of(int), int key_of(int)) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_split(world, color_of(rank), key_of(rank), &mine);
  for (int color = 0; color < 2; ++color) {
    Communicator made;
    for (int i = 0; i < size; ++i) {
      if (color_of(i) == color) made.members.push_back(i);
    }
    if (made.members.empty()) continue;
    std::stable_sort(made.members.begin(), made.members.end(),
                     [&](int a, int b) { return key_of(a) < key_of(b); });
    if (color_of(rank) == color) made.handle = mine;
    all_.push_back(made);
  }
}

void Communicators::renew() {
  MPI_Comm_free(&all_.back().handle);
  MPI_Comm_dup(all_.front().handle, &all_.back().handle);
  MPI_Comm_set_errhandler(all_.back().handle, MPI_ERRORS_RETURN);
}

Communicators::~Communicators() {
  for (Communicator& comm : all_) {
    if (comm.handle != MPI_COMM_NULL) MPI_Comm_free(&comm.handle);
  }
  MPI_Comm_free(&control_);
  MPI_Errhandler_free(&handler_);
}

}  // namespace semantics
