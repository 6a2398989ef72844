#include "mpi/communicator/effective_settings.h"

#include "mpi/communicator/communicator_state.h"
#include "runtime/runtime.h"

namespace tightwire::mpi {
namespace {

// Rules or hints may make a difference on it.
bool may_be_overridden(MPI_Comm comm) {
  return runtime::current().overridable.load(std::memory_order_relaxed) && comm != MPI_COMM_NULL;
}

}  // namespace

const policy::SettingsResolver& resolver_of(MPI_Comm comm) {
  if (!may_be_overridden(comm)) return *runtime::current().resolver;
  return state_of(comm).settings().resolver(comm);
}

const policy::SettingsResolver& agreed_resolver_of(MPI_Comm comm) {
  if (!may_be_overridden(comm)) return *runtime::current().resolver;
  CommunicatorSettings& settings = state_of(comm).settings();
  if (runtime::current().names_matter) settings.agree(comm);
  return settings.resolver(comm);
}

const policy::SettingsResolver* agreed_resolver_at_once(MPI_Comm comm) {
  if (!may_be_overridden(comm)) return runtime::current().resolver;
  CommunicatorSettings& settings = state_of(comm).settings();
  const bool would_talk = runtime::current().names_matter && !settings.agreed();
  return would_talk ? nullptr : &settings.resolver(comm);
}

void communicator_named(MPI_Comm comm) {
  if (runtime::current().names_matter) state_of(comm).settings().renamed(comm);
}

bool is_hinted(MPI_Comm comm) {
  CommunicatorState* state = may_be_overridden(comm) ? find_state(comm) : nullptr;
  return state != nullptr && state->settings().hinted();
}

settings::Overrides hints_of(MPI_Comm comm) {
  CommunicatorState* state = may_be_overridden(comm) ? find_state(comm) : nullptr;
  return state != nullptr ? state->settings().hints() : settings::Overrides{};
}

void set_hints(MPI_Comm comm, const settings::Overrides& hints) {
  runtime::allow_overrides();
  state_of(comm).settings().set_hints(hints);
}

void count_rule(const policy::EffectiveSettings& effective) {
  if (effective.rule == 0) return;
  runtime::current().rule_calls[effective.rule - 1].fetch_add(1, std::memory_order_relaxed);
}

}  // namespace tightwire::mpi
