#include "mpi/communicator/communicator_state.h"

#include <new>
#include <thread>

#include "mpi/error.h"
#include "os/float_traps.h"
#include "runtime/log.h"

namespace tightwire::mpi {
namespace {

// Counts the states that were deleted: a handle may be given out again then.
std::atomic<std::uint64_t> deleted{0};

// Counts the states that were made. Threads share MPI_COMM_SELF: what one writes into a state comes
// before what another reads there, though only MPI's attribute leads from one to the other.
std::atomic<std::uint64_t> made{0};

// The state that this thread asked for last.
struct LastState {
  MPI_Comm comm = MPI_COMM_NULL;
  CommunicatorState* state = nullptr;
  std::uint64_t deleted = 0;
};
// The library is always loaded at program start, so the fast model is safe.
[[gnu::tls_model("initial-exec")]] thread_local LastState last_state;

int delete_state(MPI_Comm, int, void* attribute, void*) {
  deleted.fetch_add(1, std::memory_order_release);
  const os::FloatTrapsOff floats;
  const std::unique_ptr<CommunicatorState> state(static_cast<CommunicatorState*>(attribute));
  state->release();
  return MPI_SUCCESS;
}

#if MPI_VERSION < 4
// Duplicates inherit hints up to MPI 3.1, and not any more from MPI 4.0 on. MPI calls this, and
// passes no exceptions on.
int copy_hints(MPI_Comm, int, void*, void* attribute, void* copy, int* copied) noexcept {
  try {
    const settings::Overrides hints =
        static_cast<CommunicatorState*>(attribute)->settings().hints();
    *copied = static_cast<int>(!hints.empty());
    if (*copied == 0) return MPI_SUCCESS;
    auto state = std::make_unique<CommunicatorState>();
    state->settings().set_hints(hints);
    *static_cast<void**>(copy) = state.release();
  } catch (const std::bad_alloc&) {
    runtime::log_last_words(
        "MPI_Comm_dup: no memory for the hints of a communicator; the job ends");
    PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  }
  return MPI_SUCCESS;
}
#else
// Duplicates make their own.
MPI_Comm_copy_attr_function* const copy_hints = MPI_COMM_NULL_COPY_FN;
#endif

int key() {
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
    check(PMPI_Comm_create_keyval(copy_hints, delete_state, &created, nullptr));
    return created;
  }();
  return key;
}

Membership ask_membership(MPI_Comm comm) {
  Membership membership;
  int inter = 0;
  check(PMPI_Comm_test_inter(comm, &inter));
  check(PMPI_Comm_rank(comm, &membership.rank));
  check(PMPI_Comm_size(comm, &membership.size));
  membership.is_inter = inter != 0;
  if (membership.is_inter) check(PMPI_Comm_remote_size(comm, &membership.others));
  return membership;
}

#ifdef OPEN_MPI
// Open MPI 4.1 does not survive that a communicator is freed with one of its own non-blocking
// collectives under way. All ranks have begun this one, unless something was given up.
void outlive_election(Communicator& communicator) {
  while (!communicator.gave_up && !communicator.has_tags()) std::this_thread::yield();
}
#endif

CommunicatorState& made_state(MPI_Comm comm) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (CommunicatorState* state = find_state(comm)) return *state;
  auto state = std::make_unique<CommunicatorState>();
  made.fetch_add(1, std::memory_order_release);
  check(PMPI_Comm_set_attr(comm, key(), state.get()));
  return *state.release();
}

}  // namespace

Route& CommunicatorState::route(MPI_Comm comm) {
  if (Route* route = made_route_.load(std::memory_order_acquire)) return *route;
  const std::scoped_lock lock(mutex_);
  if (!route_) {
    route_ = std::make_shared<Route>(comm);
    made_route_.store(route_.get(), std::memory_order_release);
  }
  return *route_;
}

const Membership& CommunicatorState::membership(MPI_Comm comm) {
  if (has_membership_.load(std::memory_order_acquire)) return membership_;
  const Membership asked = ask_membership(comm);
  const std::scoped_lock lock(mutex_);
  membership_ = asked;
  has_membership_.store(true, std::memory_order_release);
  return membership_;
}

const std::shared_ptr<Neighbours>& CommunicatorState::neighbours(MPI_Comm comm) {
  if (!neighbours_) neighbours_ = Neighbours::of(comm);
  return *neighbours_;
}

const std::shared_ptr<Communicator>& CommunicatorState::communicator(
    const Participants& participants, Tags tags) {
  const bool all = participants.who != Participants::Who::root_and_others;
  auto& [learned, communicator] = all ? all_ : of_roots_[participants.root];
  if (!communicator) {
    if (!learned) learned = std::make_unique<Learned>();
    communicator = make_communicator(participants, route(participants.comm).shared_from_this(),
                                     *learned, tags);
  }
  if (tags == Tags::agreed) settle_tags(*communicator);
  return communicator;
}

void CommunicatorState::release() {
  if (route_) route_->mark_freed();
#ifdef OPEN_MPI
  Communicator* const communicator = known_communicator();
  if (communicator != nullptr) outlive_election(*communicator);
  const bool gave_up = communicator != nullptr && communicator->gave_up;
  if (neighbours_ && *neighbours_ && !gave_up) (*neighbours_)->finish_queries();
#endif
}

CommunicatorState* find_state(MPI_Comm comm) {
  const std::uint64_t now = deleted.load(std::memory_order_acquire);
  if (last_state.comm == comm && last_state.deleted == now && last_state.state != nullptr) {
    return last_state.state;
  }
  void* attribute = nullptr;
  int found = 0;
  check(PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&attribute), &found));
  (void)made.load(std::memory_order_acquire);
  if (found == 0) return nullptr;
  last_state = {comm, static_cast<CommunicatorState*>(attribute), now};
  return last_state.state;
}

CommunicatorState& state_of(MPI_Comm comm) {
  CommunicatorState* const state = find_state(comm);
  return state != nullptr ? *state : made_state(comm);
}

void release_world() {
  if (find_state(MPI_COMM_WORLD) != nullptr) PMPI_Comm_delete_attr(MPI_COMM_WORLD, key());
}

}  // namespace tightwire::mpi
