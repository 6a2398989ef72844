// Persistent collectives of 8 bytes, made and given up again. What each start costs is a matter of
// the collective itself.
#include "cases.h"

namespace overhead {

#if MPI_VERSION >= 4

namespace {

constexpr std::array<int, 2> bytes{0, 8};
constexpr std::array<MPI_Aint, 1> start{0};

template <class Make>
void give_up(const Place& at, Make&& make) {
  MPI_Request request = MPI_REQUEST_NULL;
  make(&request);
  at.mpi.Request_free(&request);
}

void make_allreduce(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Allreduce_init(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX,
                          at.comm, MPI_INFO_NULL, request);
  });
}

void make_reduce(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Reduce_init(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, 0,
                       at.comm, MPI_INFO_NULL, request);
  });
}

void make_bcast(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Bcast_init(memory.send.data(), 1, MPI_INT64_T, 0, at.comm, MPI_INFO_NULL, request);
  });
}

void make_reduce_scatter(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Reduce_scatter_init(memory.send.data(), memory.receive.data(), ones.data(), MPI_INT64_T,
                               MPI_MAX, at.comm, MPI_INFO_NULL, request);
  });
}

void make_reduce_scatter_block(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Reduce_scatter_block_init(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T,
                                     MPI_MAX, at.comm, MPI_INFO_NULL, request);
  });
}

void make_scan(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Scan_init(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm,
                     MPI_INFO_NULL, request);
  });
}

void make_exscan(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Exscan_init(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm,
                       MPI_INFO_NULL, request);
  });
}

void make_gather(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Gather_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T, 0,
                       at.comm, MPI_INFO_NULL, request);
  });
}

void make_gatherv(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Gatherv_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                        places.data(), MPI_INT64_T, 0, at.comm, MPI_INFO_NULL, request);
  });
}

void make_scatter(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Scatter_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                        0, at.comm, MPI_INFO_NULL, request);
  });
}

void make_scatterv(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Scatterv_init(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                         memory.receive.data(), 1, MPI_INT64_T, 0, at.comm, MPI_INFO_NULL, request);
  });
}

void make_allgather(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Allgather_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                          at.comm, MPI_INFO_NULL, request);
  });
}

void make_allgatherv(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Allgatherv_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                           places.data(), MPI_INT64_T, at.comm, MPI_INFO_NULL, request);
  });
}

void make_alltoall(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Alltoall_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                         at.comm, MPI_INFO_NULL, request);
  });
}

void make_alltoallv(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Alltoallv_init(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                          memory.receive.data(), ones.data(), places.data(), MPI_INT64_T, at.comm,
                          MPI_INFO_NULL, request);
  });
}

void make_alltoallw(const Place& at, Memory& memory) {
  const std::array<MPI_Datatype, 2> types{MPI_INT64_T, MPI_INT64_T};
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Alltoallw_init(memory.send.data(), ones.data(), bytes.data(), types.data(),
                          memory.receive.data(), ones.data(), bytes.data(), types.data(), at.comm,
                          MPI_INFO_NULL, request);
  });
}

void make_neighbor_allgather(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Neighbor_allgather_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                                   MPI_INT64_T, at.comm, MPI_INFO_NULL, request);
  });
}

void make_neighbor_allgatherv(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Neighbor_allgatherv_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(),
                                    ones.data(), places.data(), MPI_INT64_T, at.comm, MPI_INFO_NULL,
                                    request);
  });
}

void make_neighbor_alltoall(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Neighbor_alltoall_init(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                                  MPI_INT64_T, at.comm, MPI_INFO_NULL, request);
  });
}

void make_neighbor_alltoallv(const Place& at, Memory& memory) {
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Neighbor_alltoallv_init(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                                   memory.receive.data(), ones.data(), places.data(), MPI_INT64_T,
                                   at.comm, MPI_INFO_NULL, request);
  });
}

void make_neighbor_alltoallw(const Place& at, Memory& memory) {
  const std::array<MPI_Datatype, 2> types{MPI_INT64_T, MPI_INT64_T};
  give_up(at, [&](MPI_Request* request) {
    at.mpi.Neighbor_alltoallw_init(memory.send.data(), ones.data(), start.data(), types.data(),
                                   memory.receive.data(), ones.data(), start.data(), types.data(),
                                   at.comm, MPI_INFO_NULL, request);
  });
}

}  // namespace

void add_persistent_collectives(std::vector<Case>& cases) {
  cases.push_back(simple("Allreduce_init+Request_free", &make_allreduce));
  cases.push_back(simple("Reduce_init+Request_free", &make_reduce));
  cases.push_back(simple("Bcast_init+Request_free", &make_bcast));
  cases.push_back(simple("Reduce_scatter_init+Request_free", &make_reduce_scatter));
  cases.push_back(simple("Reduce_scatter_block_init+Request_free", &make_reduce_scatter_block));
  cases.push_back(simple("Scan_init+Request_free", &make_scan));
  cases.push_back(simple("Exscan_init+Request_free", &make_exscan));
  cases.push_back(simple("Gather_init+Request_free", &make_gather));
  cases.push_back(simple("Gatherv_init+Request_free", &make_gatherv));
  cases.push_back(simple("Scatter_init+Request_free", &make_scatter));
  cases.push_back(simple("Scatterv_init+Request_free", &make_scatterv));
  cases.push_back(simple("Allgather_init+Request_free", &make_allgather));
  cases.push_back(simple("Allgatherv_init+Request_free", &make_allgatherv));
  cases.push_back(simple("Alltoall_init+Request_free", &make_alltoall));
  cases.push_back(simple("Alltoallv_init+Request_free", &make_alltoallv));
  cases.push_back(simple("Alltoallw_init+Request_free", &make_alltoallw));
  cases.push_back(simple("Neighbor_allgather_init+Request_free", &make_neighbor_allgather));
  cases.push_back(simple("Neighbor_allgatherv_init+Request_free", &make_neighbor_allgatherv));
  cases.push_back(simple("Neighbor_alltoall_init+Request_free", &make_neighbor_alltoall));
  cases.push_back(simple("Neighbor_alltoallv_init+Request_free", &make_neighbor_alltoallv));
  cases.push_back(simple("Neighbor_alltoallw_init+Request_free", &make_neighbor_alltoallw));
}

#else

void add_persistent_collectives(std::vector<Case>&) {}

#endif

}  // namespace overhead
