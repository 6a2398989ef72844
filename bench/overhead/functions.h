// The measured calls twice: as a program makes them, which is under Tightwire, and MPI's own.
#pragma once

#include <mpi.h>

namespace overhead {

// Those of src/interpose/calls.def that a message of 8 bytes makes sense for; tests/bench compares.
// clang-format off
#define OVERHEAD_MESSAGES(CALL)                                                   \
  CALL(Send) CALL(Ssend) CALL(Bsend) CALL(Rsend)                                  \
  CALL(Isend) CALL(Issend) CALL(Ibsend) CALL(Irsend)                              \
  CALL(Recv) CALL(Irecv) CALL(Sendrecv) CALL(Sendrecv_replace)                    \
  CALL(Send_init) CALL(Ssend_init) CALL(Bsend_init) CALL(Rsend_init)              \
  CALL(Recv_init) CALL(Start) CALL(Startall)                                      \
  CALL(Probe) CALL(Iprobe) CALL(Mprobe) CALL(Improbe) CALL(Mrecv) CALL(Imrecv)    \
  CALL(Wait) CALL(Waitall) CALL(Waitany) CALL(Waitsome)                           \
  CALL(Test) CALL(Testall) CALL(Testany) CALL(Testsome)                           \
  CALL(Cancel) CALL(Request_free) CALL(Request_get_status)

#define OVERHEAD_COLLECTIVES(CALL)                                                \
  CALL(Allreduce) CALL(Reduce) CALL(Bcast)                                        \
  CALL(Reduce_scatter) CALL(Reduce_scatter_block) CALL(Scan) CALL(Exscan)         \
  CALL(Gather) CALL(Gatherv) CALL(Scatter) CALL(Scatterv)                         \
  CALL(Allgather) CALL(Allgatherv) CALL(Alltoall) CALL(Alltoallv) CALL(Alltoallw) \
  CALL(Neighbor_allgather) CALL(Neighbor_allgatherv)                              \
  CALL(Neighbor_alltoall) CALL(Neighbor_alltoallv) CALL(Neighbor_alltoallw)

#define OVERHEAD_STARTED_COLLECTIVES(CALL)                                        \
  CALL(Iallreduce) CALL(Ireduce) CALL(Ibcast)                                     \
  CALL(Ireduce_scatter) CALL(Ireduce_scatter_block) CALL(Iscan) CALL(Iexscan)     \
  CALL(Igather) CALL(Igatherv) CALL(Iscatter) CALL(Iscatterv)                     \
  CALL(Iallgather) CALL(Iallgatherv) CALL(Ialltoall) CALL(Ialltoallv) CALL(Ialltoallw) \
  CALL(Ineighbor_allgather) CALL(Ineighbor_allgatherv)                            \
  CALL(Ineighbor_alltoall) CALL(Ineighbor_alltoallv) CALL(Ineighbor_alltoallw)

#define OVERHEAD_ONE_SIDED(CALL)                                                  \
  CALL(Put) CALL(Get) CALL(Accumulate) CALL(Get_accumulate)                       \
  CALL(Rput) CALL(Rget) CALL(Raccumulate) CALL(Rget_accumulate)                   \
  CALL(Fetch_and_op) CALL(Compare_and_swap)

#if MPI_VERSION >= 4
#define OVERHEAD_CALLS_OF_MPI_4(CALL)                                             \
  CALL(Isendrecv) CALL(Isendrecv_replace)                                         \
  CALL(Psend_init) CALL(Precv_init)                                               \
  CALL(Pready) CALL(Pready_range) CALL(Pready_list) CALL(Parrived)                \
  CALL(Allreduce_init) CALL(Reduce_init) CALL(Bcast_init) \
  CALL(Reduce_scatter_init) CALL(Reduce_scatter_block_init) CALL(Scan_init) \
  CALL(Exscan_init) CALL(Gather_init) CALL(Gatherv_init) \
  CALL(Scatter_init) CALL(Scatterv_init) CALL(Allgather_init) \
  CALL(Allgatherv_init) CALL(Alltoall_init) CALL(Alltoallv_init) \
  CALL(Alltoallw_init) CALL(Neighbor_allgather_init) CALL(Neighbor_allgatherv_init) \
  CALL(Neighbor_alltoall_init) CALL(Neighbor_alltoallv_init) CALL(Neighbor_alltoallw_init)
#else
#define OVERHEAD_CALLS_OF_MPI_4(CALL)
#endif

#define OVERHEAD_CALLS(CALL)                                                      \
  OVERHEAD_MESSAGES(CALL) OVERHEAD_COLLECTIVES(CALL)                              \
  OVERHEAD_STARTED_COLLECTIVES(CALL) OVERHEAD_ONE_SIDED(CALL)                     \
  OVERHEAD_CALLS_OF_MPI_4(CALL)
// clang-format on

struct Functions {
#define OVERHEAD_MEMBER(name) decltype(&MPI_##name) name = nullptr;
  OVERHEAD_CALLS(OVERHEAD_MEMBER)
#undef OVERHEAD_MEMBER
};

[[nodiscard]] const Functions& called_by_programs();
// Found in the MPI library itself, behind whatever is preloaded in front of it.
[[nodiscard]] const Functions& plain_mpi();

}  // namespace overhead
