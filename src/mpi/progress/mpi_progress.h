// Work that goes on while the program is in MPI, whichever of its calls that is.
//
// A collective that the program has started must go on in whatever call it makes next: in those
// that no library stands in front of too, since another rank may wait for this one's part before it
// joins in that call. So MPI's own progress engine does the work, in one of two ways:
//   - Open MPI calls what is registered by opal_progress_register(), by which its own non-blocking
//     collectives go on.
//   - MPICH over UCX calls ucp_worker_progress() whenever it looks after the network;
//     interpose/ucx.cpp stands in front of that. Not with MPI_THREAD_MULTIPLE, where MPICH 4 holds
//     a lock then that must not be taken twice.
// Without either nothing can be left to go on.
#pragma once

namespace tightwire::mpi {

// Does what can be done now, at the cost of one relaxed load if that is nothing. Never throws.
// Calls MPI, which may call it again; several threads may.
using ProgressBody = void (*)();

// At MPI_Init: finds a way; true if there is one.
[[nodiscard]] bool open_progress(ProgressBody body);
// Something has come to do: from now on `body` is called. Thread safe.
void begin_progress();
// Before MPI is finalised.
void close_progress();

// MPI has looked after the network.
void network_looked_after();

}  // namespace tightwire::mpi
