// The settings in force on a communicator: the job's, the rules for its name, its hints.
#pragma once

#include <mpi.h>

#include <vector>

#include "policy/settings_resolver.h"

namespace tightwire::mpi {

// As this rank alone sees it. Local. Valid for the rest of the job.
[[nodiscard]] const policy::SettingsResolver& resolver_of(MPI_Comm comm);

// The same on all ranks. Where rules go by names it is collective the first time: MPI lets ranks
// give a communicator different names, and if that makes a difference the job is ended. From then
// on a new name changes nothing.
[[nodiscard]] const policy::SettingsResolver& agreed_resolver_of(MPI_Comm comm);

// The same without talking: nullptr where the ranks would have to, on all of them.
[[nodiscard]] const policy::SettingsResolver* agreed_resolver_at_once(MPI_Comm comm);

// After the program gave a communicator another name.
void communicator_named(MPI_Comm comm);

// Hints of a communicator, once all ranks were found to give the same: they take the place of those
// with the same keys.
[[nodiscard]] settings::Overrides hints_of(MPI_Comm comm);
// Whether it was ever given some, or is a duplicate of one that was and hands them on.
[[nodiscard]] bool is_hinted(MPI_Comm comm);
void set_hints(MPI_Comm comm, const settings::Overrides& hints);

// Which rules are for the function of the program that makes the present call of this thread;
// nullptr where no rule goes by functions. Valid for the rest of the job.
[[nodiscard]] const std::vector<bool>* rules_at_call_site();

// Counts a call for the rule that it met.
void count_rule(const policy::EffectiveSettings& effective);

}  // namespace tightwire::mpi
