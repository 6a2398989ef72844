#include "mpi/communicator/effective_settings.h"

#include <xxhash.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <tuple>

#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

constexpr int exit_code = 2;

// What is kept for a communicator; made at the first look at it.
struct State {
  settings::Overrides hints;
  std::vector<bool> for_name;
  bool named = false;  // for_name is of its name
  // By all ranks: it stays as it is. Read without the lock, as threads share MPI_COMM_SELF.
  std::atomic<bool> agreed{false};
  bool told = false;
  std::atomic<const policy::SettingsResolver*> resolver{nullptr};
  std::atomic<std::size_t> of_settings{0};  // settings_hash that the resolver was made for
};

std::mutex& mutex() {
  static std::mutex mutex;
  return mutex;
}

int delete_state(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<State> state(static_cast<State*>(attribute));
  return MPI_SUCCESS;
}

#if MPI_VERSION < 4
// Duplicates inherit hints up to MPI 3.1, and not any more from MPI 4.0 on. MPI calls this, and
// passes no exceptions on.
int copy_hints(MPI_Comm, int, void*, void* attribute, void* copy, int* copied) noexcept {
  const settings::Overrides& hints = static_cast<State*>(attribute)->hints;
  *copied = static_cast<int>(!hints.empty());
  if (*copied == 0) return MPI_SUCCESS;
  try {
    auto state = std::make_unique<State>();
    state->hints = hints;
    *static_cast<void**>(copy) = state.release();
  } catch (const std::bad_alloc&) {
    runtime::log_last_words(
        "MPI_Comm_dup: no memory for the hints of a communicator; the job ends");
    PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  }
  return MPI_SUCCESS;
}
#endif

int key() {
  static const int key = [] {
    int created = MPI_KEYVAL_INVALID;
#if MPI_VERSION < 4
    PMPI_Comm_create_keyval(copy_hints, delete_state, &created, nullptr);
#else
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_state, &created, nullptr);
#endif
    return created;
  }();
  return key;
}

State* attached(MPI_Comm comm) {
  void* attribute = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(comm, key(), static_cast<void*>(&attribute), &found);
  return found != 0 ? static_cast<State*>(attribute) : nullptr;
}

State& state_of(MPI_Comm comm) {
  if (State* state = attached(comm)) return *state;
  const std::scoped_lock lock(mutex());
  if (State* state = attached(comm)) return *state;
  auto* state = new State;  // deleted with the communicator
  PMPI_Comm_set_attr(comm, key(), state);
  return *state;
}

// One for all communicators that are alike; never deleted.
const policy::SettingsResolver& resolver_for(const std::vector<bool>& for_name,
                                             const settings::Overrides& hints) {
  using Key = std::tuple<std::string, std::vector<bool>, settings::Overrides>;
  static auto* const resolvers = new std::map<Key, std::unique_ptr<policy::SettingsResolver>>;
  static std::mutex mutex;
  const runtime::Runtime& runtime = runtime::current();
  const std::scoped_lock lock(mutex);
  auto& resolver = (*resolvers)[{settings::canonical(runtime.settings), for_name, hints}];
  if (!resolver) {
    resolver = std::make_unique<policy::SettingsResolver>(runtime.settings, runtime.rules, for_name,
                                                          hints);
  }
  return *resolver;
}

std::vector<bool> rules_for(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  return policy::rules_for_name(runtime::current().rules, name.data());
}

// With the lock held.
void make_guide(State& state, MPI_Comm comm) {
  if (!state.named) {
    state.for_name = rules_for(comm);
    state.named = true;
  }
  state.resolver.store(&resolver_for(state.for_name, state.hints), std::memory_order_relaxed);
  state.of_settings.store(runtime::current().settings_hash, std::memory_order_release);
}

const policy::SettingsResolver& resolver_of(State& state, MPI_Comm comm) {
  const std::size_t settings = runtime::current().settings_hash;
  const policy::SettingsResolver* resolver = nullptr;
  if (state.of_settings.load(std::memory_order_acquire) == settings)
    resolver = state.resolver.load();
  if (resolver != nullptr) return *resolver;
  const std::scoped_lock lock(mutex());
  make_guide(state, comm);
  return *state.resolver.load();
}

[[noreturn]] void end_job(MPI_Comm comm) {
  std::array<char, MPI_MAX_OBJECT_NAME> name{};
  int length = 0;
  int rank = 0;
  PMPI_Comm_get_name(comm, name.data(), &length);
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    runtime::log_last_words(
        "the ranks of a communicator gave it names for which different rules hold, rank "
        "0 \"" +
        std::string(name.data()) +
        "\"; call MPI_Comm_set_name alike on all ranks, before the first collective");
    PMPI_Abort(MPI_COMM_WORLD, exit_code);
  }
  PMPI_Barrier(comm);
  std::_Exit(exit_code);
}

void agree(State& state, MPI_Comm comm) {
  const std::vector<bool> own = rules_for(comm);
  std::string text;
  for (const bool each : own) text += each ? '1' : '0';
  const auto hash = static_cast<std::int64_t>(XXH3_64bits(text.data(), text.size()));
  std::array<std::int64_t, 2> facts{hash, ~hash};
  PMPI_Allreduce(MPI_IN_PLACE, facts.data(), 2, MPI_INT64_T, MPI_MAX, comm);
  if (facts[0] != ~facts[1]) end_job(comm);
  const std::scoped_lock lock(mutex());
  state.for_name = own;
  state.named = true;
  state.agreed = true;
  state.of_settings.store(0, std::memory_order_relaxed);
}

bool is_intra(MPI_Comm comm) {
  int inter = 0;
  return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter == 0;
}

}  // namespace

const policy::SettingsResolver& resolver_of(MPI_Comm comm) {
  const runtime::Runtime& runtime = runtime::current();
  if (!runtime.guided.load(std::memory_order_relaxed) || comm == MPI_COMM_NULL) {
    return *runtime.resolver;
  }
  return resolver_of(state_of(comm), comm);
}

const policy::SettingsResolver& agreed_resolver_of(MPI_Comm comm) {
  const runtime::Runtime& runtime = runtime::current();
  if (!runtime.guided.load(std::memory_order_relaxed) || comm == MPI_COMM_NULL) {
    return *runtime.resolver;
  }
  State& state = state_of(comm);
  if (runtime.names_matter && !state.agreed && is_intra(comm)) agree(state, comm);
  return resolver_of(state, comm);
}

void communicator_named(MPI_Comm comm) {
  if (!runtime::current().names_matter) return;
  State& state = state_of(comm);
  const std::vector<bool> now = rules_for(comm);
  const std::scoped_lock lock(mutex());
  if (!state.agreed) {
    state.named = false;
    state.of_settings.store(0, std::memory_order_relaxed);
  } else if (now != state.for_name && !state.told) {
    state.told = true;
    runtime::log(
        "MPI_Comm_set_name comes after the communicator's first collective: rules go by the name "
        "that it had then; name it before");
  }
}

settings::Overrides hints_of(MPI_Comm comm) {
  if (!runtime::current().guided.load(std::memory_order_relaxed)) return {};
  const State* state = attached(comm);
  if (state == nullptr) return {};
  // MPI_Comm_get_info on one thread may meet MPI_Comm_set_info on another.
  const std::scoped_lock lock(mutex());
  return state->hints;
}

void set_hints(MPI_Comm comm, const settings::Overrides& hints) {
  runtime::current().guided.store(true, std::memory_order_relaxed);
  State& state = state_of(comm);
  const std::scoped_lock lock(mutex());
  state.hints = hints;
  state.of_settings.store(0, std::memory_order_relaxed);
}

void count_rule(const policy::EffectiveSettings& effective) {
  if (effective.rule == 0) return;
  runtime::current().rule_calls[effective.rule - 1].fetch_add(1, std::memory_order_relaxed);
}

void release_resolvers() {
  if (attached(MPI_COMM_WORLD) != nullptr) PMPI_Comm_delete_attr(MPI_COMM_WORLD, key());
}

}  // namespace tightwire::mpi
