#include "interpose/hints.h"
#include "interpose/special.h"
#include "mpi/call.h"
#include "mpi/communicator/effective_settings.h"
#include "mpi/error.h"
#include "p2p/state/error_handlers.h"
#include "runtime/runtime.h"

namespace tightwire::special {

int comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  p2p::note_error_handler();
  return PMPI_Comm_set_errhandler(comm, errhandler);
}

using mpi::guarded;

namespace {

int raise(MPI_Comm comm, int code) {
  mpi::call_error_handler(comm, code);
  return code;
}

// A new communicator has the hints of `info` alone. Where they are wrong there is none, and the
// error is raised on the one that it was to come from.
int begin_with(MPI_Comm* made, MPI_Info info, MPI_Comm parent, const char* call) {
  if (*made == MPI_COMM_NULL) return MPI_SUCCESS;
  if (!mpi::hints_of(*made).empty()) mpi::set_hints(*made, {});
  const int code = take_hints(*made, info, call);
  if (code == MPI_SUCCESS) return code;
  PMPI_Comm_free(made);
  return raise(parent, code);
}

}  // namespace

int comm_set_name(MPI_Comm comm, const char* comm_name) {
  return guarded({"MPI_Comm_set_name"}, comm, [&] {
    const int code = PMPI_Comm_set_name(comm, comm_name);
    if (code == MPI_SUCCESS && runtime::active()) mpi::communicator_named(comm);
    return code;
  });
}

int comm_set_info(MPI_Comm comm, MPI_Info info) {
  return guarded({"MPI_Comm_set_info"}, comm, [&] {
    if (runtime::active() && comm != MPI_COMM_NULL) {
      const int code = take_hints(comm, info, "MPI_Comm_set_info");
      if (code != MPI_SUCCESS) return raise(comm, code);
    }
    return PMPI_Comm_set_info(comm, info);
  });
}

int comm_get_info(MPI_Comm comm, MPI_Info* info_used) {
  return guarded({"MPI_Comm_get_info"}, comm, [&] {
    const int code = PMPI_Comm_get_info(comm, info_used);
    if (code == MPI_SUCCESS && runtime::active()) put_hints(comm, *info_used);
    return code;
  });
}

int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
  const int code = PMPI_Comm_dup_with_info(comm, info, newcomm);
  if (code != MPI_SUCCESS || !runtime::active()) return code;
  return guarded({"MPI_Comm_dup_with_info"}, comm,
                 [&] { return begin_with(newcomm, info, comm, "MPI_Comm_dup_with_info"); });
}

int comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
  const int code = PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
  if (code != MPI_SUCCESS || !runtime::active()) return code;
  return guarded({"MPI_Comm_split_type"}, comm,
                 [&] { return begin_with(newcomm, info, comm, "MPI_Comm_split_type"); });
}

}  // namespace tightwire::special
