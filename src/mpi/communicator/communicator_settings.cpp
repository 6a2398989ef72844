#include "mpi/communicator/communicator_settings.h"

#include <xxhash.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "runtime/log.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

constexpr int exit_code = 2;

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

bool is_intra(MPI_Comm comm) {
  int inter = 0;
  return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter == 0;
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

}  // namespace

const policy::SettingsResolver& CommunicatorSettings::resolver(MPI_Comm comm) {
  const std::size_t settings = runtime::current().settings_hash;
  const policy::SettingsResolver* resolver = nullptr;
  if (of_settings_.load(std::memory_order_acquire) == settings) resolver = resolver_.load();
  if (resolver != nullptr) return *resolver;
  const std::scoped_lock lock(mutex_);
  make_resolver(comm);
  return *resolver_.load();
}

// With the lock held.
void CommunicatorSettings::make_resolver(MPI_Comm comm) {
  if (!named_) {
    for_name_ = rules_for(comm);
    named_ = true;
  }
  resolver_.store(&resolver_for(for_name_, hints_), std::memory_order_relaxed);
  of_settings_.store(runtime::current().settings_hash, std::memory_order_release);
}

void CommunicatorSettings::agree(MPI_Comm comm) {
  if (agreed_ || !is_intra(comm)) return;
  const std::vector<bool> own = rules_for(comm);
  std::string text;
  for (const bool each : own) text += each ? '1' : '0';
  const auto hash = static_cast<std::int64_t>(XXH3_64bits(text.data(), text.size()));
  std::array<std::int64_t, 2> facts{hash, ~hash};
  PMPI_Allreduce(MPI_IN_PLACE, facts.data(), 2, MPI_INT64_T, MPI_MAX, comm);
  if (facts[0] != ~facts[1]) end_job(comm);
  const std::scoped_lock lock(mutex_);
  for_name_ = own;
  named_ = true;
  agreed_ = true;
  of_settings_.store(0, std::memory_order_relaxed);
}

void CommunicatorSettings::renamed(MPI_Comm comm) {
  const std::vector<bool> now = rules_for(comm);
  const std::scoped_lock lock(mutex_);
  if (!agreed_) {
    named_ = false;
    of_settings_.store(0, std::memory_order_relaxed);
  } else if (now != for_name_ && !told_) {
    told_ = true;
    runtime::log(
        "MPI_Comm_set_name comes after the communicator's first collective: rules go by the name "
        "that it had then; name it before");
  }
}

settings::Overrides CommunicatorSettings::hints() {
  // MPI_Comm_get_info on one thread may meet MPI_Comm_set_info on another.
  const std::scoped_lock lock(mutex_);
  return hints_;
}

void CommunicatorSettings::set_hints(const settings::Overrides& hints) {
  const std::scoped_lock lock(mutex_);
  hints_ = hints;
  hinted_.store(true, std::memory_order_relaxed);
  of_settings_.store(0, std::memory_order_relaxed);
}

}  // namespace tightwire::mpi
