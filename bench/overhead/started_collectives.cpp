// Collectives that return at once, of 8 bytes from or to each rank, and the call that waits for
// them.
#include "cases.h"

namespace overhead {
namespace {

constexpr std::array<int, 2> bytes{0, 8};
constexpr std::array<MPI_Aint, 1> beginning{0};

template <class Start>
void complete(const Place& at, Start&& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  start(&request);
  at.mpi.Wait(&request, MPI_STATUS_IGNORE);
}

void reduce_to_all(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iallreduce(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm,
                      request);
  });
}

void reduce(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ireduce(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, 0, at.comm,
                   request);
  });
}

void broadcast(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ibcast(memory.send.data(), 1, MPI_INT64_T, 0, at.comm, request);
  });
}

void reduce_and_scatter(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ireduce_scatter(memory.send.data(), memory.receive.data(), ones.data(), MPI_INT64_T,
                           MPI_MAX, at.comm, request);
  });
}

void reduce_and_scatter_blocks(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ireduce_scatter_block(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX,
                                 at.comm, request);
  });
}

void scan(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iscan(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm,
                 request);
  });
}

void exclusive_scan(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iexscan(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm,
                   request);
  });
}

void gather(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Igather(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T, 0,
                   at.comm, request);
  });
}

void gather_uneven(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Igatherv(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                    places.data(), MPI_INT64_T, 0, at.comm, request);
  });
}

void scatter(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iscatter(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T, 0,
                    at.comm, request);
  });
}

void scatter_uneven(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iscatterv(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                     memory.receive.data(), 1, MPI_INT64_T, 0, at.comm, request);
  });
}

void gather_to_all(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iallgather(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                      at.comm, request);
  });
}

void gather_uneven_to_all(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Iallgatherv(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                       places.data(), MPI_INT64_T, at.comm, request);
  });
}

void exchange(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ialltoall(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                     at.comm, request);
  });
}

void exchange_uneven(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ialltoallv(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                      memory.receive.data(), ones.data(), places.data(), MPI_INT64_T, at.comm,
                      request);
  });
}

void exchange_of_types(const Place& at, Memory& memory) {
  const std::array<MPI_Datatype, 2> types{MPI_INT64_T, MPI_INT64_T};
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ialltoallw(memory.send.data(), ones.data(), bytes.data(), types.data(),
                      memory.receive.data(), ones.data(), bytes.data(), types.data(), at.comm,
                      request);
  });
}

void among_neighbor_allgather(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ineighbor_allgather(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                               MPI_INT64_T, at.comm, request);
  });
}

void among_neighbor_allgatherv(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ineighbor_allgatherv(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(),
                                ones.data(), places.data(), MPI_INT64_T, at.comm, request);
  });
}

void among_neighbor_alltoall(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ineighbor_alltoall(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                              MPI_INT64_T, at.comm, request);
  });
}

void among_neighbor_alltoallv(const Place& at, Memory& memory) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ineighbor_alltoallv(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                               memory.receive.data(), ones.data(), places.data(), MPI_INT64_T,
                               at.comm, request);
  });
}

void among_neighbor_alltoallw(const Place& at, Memory& memory) {
  const std::array<MPI_Datatype, 2> types{MPI_INT64_T, MPI_INT64_T};
  complete(at, [&](MPI_Request* request) {
    at.mpi.Ineighbor_alltoallw(memory.send.data(), ones.data(), beginning.data(), types.data(),
                               memory.receive.data(), ones.data(), beginning.data(), types.data(),
                               at.comm, request);
  });
}

}  // namespace

void add_started_collectives(std::vector<Case>& cases) {
  cases.push_back(simple("Iallreduce+Wait", &reduce_to_all));
  cases.push_back(simple("Ireduce+Wait", &reduce));
  cases.push_back(simple("Ibcast+Wait", &broadcast));
  cases.push_back(simple("Ireduce_scatter+Wait", &reduce_and_scatter));
  cases.push_back(simple("Ireduce_scatter_block+Wait", &reduce_and_scatter_blocks));
  cases.push_back(simple("Iscan+Wait", &scan));
  cases.push_back(simple("Iexscan+Wait", &exclusive_scan));
  cases.push_back(simple("Igather+Wait", &gather));
  cases.push_back(simple("Igatherv+Wait", &gather_uneven));
  cases.push_back(simple("Iscatter+Wait", &scatter));
  cases.push_back(simple("Iscatterv+Wait", &scatter_uneven));
  cases.push_back(simple("Iallgather+Wait", &gather_to_all));
  cases.push_back(simple("Iallgatherv+Wait", &gather_uneven_to_all));
  cases.push_back(simple("Ialltoall+Wait", &exchange));
  cases.push_back(simple("Ialltoallv+Wait", &exchange_uneven));
  cases.push_back(simple("Ialltoallw+Wait", &exchange_of_types));
  cases.push_back(simple("Ineighbor_allgather+Wait", &among_neighbor_allgather));
  cases.push_back(simple("Ineighbor_allgatherv+Wait", &among_neighbor_allgatherv));
  cases.push_back(simple("Ineighbor_alltoall+Wait", &among_neighbor_alltoall));
  cases.push_back(simple("Ineighbor_alltoallv+Wait", &among_neighbor_alltoallv));
  cases.push_back(simple("Ineighbor_alltoallw+Wait", &among_neighbor_alltoallw));
}

}  // namespace overhead
