// The doctor's checks. Each adds its findings.
#pragma once

#include "cli/doctor/finding.h"
#include "cli/launch/evidence.h"
#include "cli/launch/job.h"
#include "settings/settings.h"

namespace tightwire::cli {

void check_program(const Program& program, Measurements& findings);
void check_libraries(const Libraries& libraries, Measurements& findings);
void check_mpi(const Decision& decision, const Libraries& libraries, Measurements& findings);
// What share of the functions it imports can be compressed, and which cannot.
void check_calls(const Program& program, const Libraries& libraries, Measurements& findings);
void check_preload(const Installation& installation, Family family, Measurements& findings);
void check_processor(Measurements& findings);
void check_early(Measurements& findings);
void check_launcher(const Job& job, Measurements& findings);
void check_settings(const settings::Loaded& loaded, Measurements& findings);

}  // namespace tightwire::cli
