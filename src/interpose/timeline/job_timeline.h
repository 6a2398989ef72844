// The timeline of a job (timeline/events.h): its beginning and end, with the clock that its ranks
// share.
#pragma once

namespace tightwire::job_timeline {

// Where the settings ask for one. Collective over MPI_COMM_WORLD; throw MpiError, std::bad_alloc.
void start();
// Before the runtime ends, which writes it.
void finish();

}  // namespace tightwire::job_timeline
