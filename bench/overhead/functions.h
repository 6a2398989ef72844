// The measured calls twice: as a program makes them, which is under Tightwire, and MPI's own.
#pragma once

#include <mpi.h>

namespace overhead {

// Those of src/interpose/calls.def that a message of 8 bytes makes sense for; tests/bench compares.
// clang-format off
#define OVERHEAD_CALLS(CALL)                                                                       \
  CALL(Send)                                                                                       \
  CALL(Ssend)                                                                                      \
  CALL(Bsend) CALL(Rsend) CALL(Isend) CALL(Issend) CALL(Ibsend) CALL(Irsend) CALL(Recv)            \
      CALL(Irecv) CALL(Sendrecv) CALL(Sendrecv_replace) CALL(Send_init) CALL(Ssend_init)           \
          CALL(Bsend_init) CALL(Rsend_init) CALL(Recv_init) CALL(Start) CALL(Startall) CALL(Probe) \
              CALL(Iprobe) CALL(Mprobe) CALL(Improbe) CALL(Mrecv) CALL(Imrecv) CALL(Wait)          \
                  CALL(Waitall) CALL(Waitany) CALL(Waitsome) CALL(Test) CALL(Testall)              \
                      CALL(Testany) CALL(Testsome) CALL(Cancel) CALL(Request_free)                 \
                          CALL(Request_get_status) CALL(Allreduce) CALL(Reduce) CALL(Bcast)        \
                              CALL(Reduce_scatter) CALL(Reduce_scatter_block) CALL(Scan)           \
                                  CALL(Exscan) CALL(Gather) CALL(Gatherv) CALL(Scatter)            \
                                      CALL(Scatterv) CALL(Allgather) CALL(Allgatherv)              \
                                          CALL(Alltoall) CALL(Alltoallv)

#if MPI_VERSION >= 4
#define OVERHEAD_CALLS_OF_MPI_4(CALL)                                                 \
  CALL(Isendrecv)                                                                     \
  CALL(Isendrecv_replace)                                                             \
  CALL(Psend_init) CALL(Precv_init) CALL(Pready) CALL(Pready_range) CALL(Pready_list) \
      CALL(Parrived)
// clang-format on
#else
#define OVERHEAD_CALLS_OF_MPI_4(CALL)
#endif

struct Functions {
#define OVERHEAD_MEMBER(name) decltype(&MPI_##name) name = nullptr;
  OVERHEAD_CALLS(OVERHEAD_MEMBER)
  OVERHEAD_CALLS_OF_MPI_4(OVERHEAD_MEMBER)
#undef OVERHEAD_MEMBER
};

[[nodiscard]] const Functions& called_by_programs();
// Found in the MPI library itself, behind whatever is preloaded in front of it.
[[nodiscard]] const Functions& plain_mpi();

}  // namespace overhead
