// The doctor's checks. Each adds its findings.
#pragma once

#include "cli/doctor/finding.h"
#include "cli/launch/evidence.h"
#include "cli/launch/job.h"
#include "settings/settings.h"

namespace tightwire::cli {

void check_program(const Program& program, Findings& findings);
void check_libraries(const Libraries& libraries, Findings& findings);
void check_mpi(const Decision& decision, const Libraries& libraries, Findings& findings);
// What share of the functions it imports can be compressed, and which cannot.
void check_calls(const Program& program, const Libraries& libraries, Findings& findings);
void check_preload(const Installation& installation, Family family, Findings& findings);
void check_processor(Findings& findings);
void check_early(Findings& findings);
// What becomes of buffers in the memory of GPUs.
void check_device(const settings::Settings& settings, Findings& findings);
void check_history(const settings::Settings& settings, Findings& findings);
void check_launcher(const Job& job, Findings& findings);
void check_settings(const settings::Loaded& loaded, Findings& findings);

}  // namespace tightwire::cli
