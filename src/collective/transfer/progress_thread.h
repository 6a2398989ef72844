// A thread that moves started collectives on while the program computes.
//
// It calls MPI beside the program, so it takes MPI_THREAD_MULTIPLE, which is asked for at MPI_Init
// in the program's place; and a library that lets two threads into its progress engine, which Open
// MPI is. On a core that nobody else needs (`auto`), or on any of the rank's mask (`on`).
#pragma once

#include "settings/values.h"

namespace tightwire::collective {

// Why this rank cannot have one, whatever MPI gives; nullptr: it can.
[[nodiscard]] const char* hindrance_to_progress_thread();

// Once calls may be started (background.h), on each rank for itself. Returns why there is none, and
// then all goes on as without; or nullptr.
[[nodiscard]] const char* start_progress_thread(settings::ProgressThread wanted);
// Something has come to do. Costs a relaxed load where there is no thread.
void wake_progress_thread();
// Before MPI goes down; returns once it has ended.
void stop_progress_thread();

}  // namespace tightwire::collective
