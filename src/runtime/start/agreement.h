// All ranks must run with the same settings and version: they decide alike without talking.
#pragma once

#include <string>

#include "settings/settings.h"

namespace tightwire::runtime {

// Collective over MPI_COMM_WORLD. Returns the settings if every rank's are valid and equal; else
// one rank says what is wrong and the job is aborted before the program's MPI work starts.
[[nodiscard]] settings::Settings agreed_settings(const settings::Loaded& loaded);

// No two jobs have the same, all ranks of one do. Collective over MPI_COMM_WORLD.
[[nodiscard]] std::string name_of_job();

}  // namespace tightwire::runtime
