// The entry points that send nothing; written by hand.
#pragma once

#include <mpi.h>

namespace tightwire::special {

int init(int* argc, char*** argv);
int init_thread(int* argc, char*** argv, int required, int* provided);
int finalize();
int abort(MPI_Comm comm, int errorcode);

#if MPI_VERSION >= 4
// Those that are open at MPI_Init matter.
int session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session);
int session_finalize(MPI_Session* session);
#endif

// Whether the program has error handlers of its own is to be known.
int comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler);

// Names and hints of communicators, by which the settings of their calls may differ.
int comm_set_name(MPI_Comm comm, const char* comm_name);
int comm_set_info(MPI_Comm comm, MPI_Info info);
int comm_get_info(MPI_Comm comm, MPI_Info* info_used);
int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm);
int comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);

}  // namespace tightwire::special
