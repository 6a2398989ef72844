// Collectives of 8 bytes from or to each rank.
#include "cases.h"

namespace overhead {
namespace {

void broadcast(const Place& at, Memory& memory) {
  at.mpi.Bcast(memory.send.data(), 1, MPI_INT64_T, 0, at.comm);
}

void reduce_to_all(const Place& at, Memory& memory) {
  at.mpi.Allreduce(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm);
}

void reduce(const Place& at, Memory& memory) {
  at.mpi.Reduce(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, 0, at.comm);
}

void reduce_and_scatter(const Place& at, Memory& memory) {
  at.mpi.Reduce_scatter(memory.send.data(), memory.receive.data(), ones.data(), MPI_INT64_T,
                        MPI_MAX, at.comm);
}

void reduce_and_scatter_blocks(const Place& at, Memory& memory) {
  at.mpi.Reduce_scatter_block(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX,
                              at.comm);
}

void scan(const Place& at, Memory& memory) {
  at.mpi.Scan(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm);
}

void exclusive_scan(const Place& at, Memory& memory) {
  at.mpi.Exscan(memory.send.data(), memory.receive.data(), 1, MPI_INT64_T, MPI_MAX, at.comm);
}

void gather(const Place& at, Memory& memory) {
  at.mpi.Gather(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T, 0,
                at.comm);
}

void gather_uneven(const Place& at, Memory& memory) {
  at.mpi.Gatherv(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                 places.data(), MPI_INT64_T, 0, at.comm);
}

void scatter(const Place& at, Memory& memory) {
  at.mpi.Scatter(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T, 0,
                 at.comm);
}

void scatter_uneven(const Place& at, Memory& memory) {
  at.mpi.Scatterv(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                  memory.receive.data(), 1, MPI_INT64_T, 0, at.comm);
}

void gather_to_all(const Place& at, Memory& memory) {
  at.mpi.Allgather(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                   at.comm);
}

void gather_uneven_to_all(const Place& at, Memory& memory) {
  at.mpi.Allgatherv(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                    places.data(), MPI_INT64_T, at.comm);
}

void exchange(const Place& at, Memory& memory) {
  at.mpi.Alltoall(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                  at.comm);
}

void exchange_uneven(const Place& at, Memory& memory) {
  at.mpi.Alltoallv(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                   memory.receive.data(), ones.data(), places.data(), MPI_INT64_T, at.comm);
}

void exchange_of_types(const Place& at, Memory& memory) {
  constexpr std::array<int, 2> bytes{0, sizeof(std::int64_t)};
  const std::array<MPI_Datatype, 2> types{MPI_INT64_T, MPI_INT64_T};
  at.mpi.Alltoallw(memory.send.data(), ones.data(), bytes.data(), types.data(),
                   memory.receive.data(), ones.data(), bytes.data(), types.data(), at.comm);
}

}  // namespace

void add_collectives(std::vector<Case>& cases) {
  cases.push_back(simple("Allreduce", &reduce_to_all));
  cases.push_back(simple("Reduce", &reduce));
  cases.push_back(simple("Bcast", &broadcast));
  cases.push_back(simple("Reduce_scatter", &reduce_and_scatter));
  cases.push_back(simple("Reduce_scatter_block", &reduce_and_scatter_blocks));
  cases.push_back(simple("Scan", &scan));
  cases.push_back(simple("Exscan", &exclusive_scan));
  cases.push_back(simple("Gather", &gather));
  cases.push_back(simple("Gatherv", &gather_uneven));
  cases.push_back(simple("Scatter", &scatter));
  cases.push_back(simple("Scatterv", &scatter_uneven));
  cases.push_back(simple("Allgather", &gather_to_all));
  cases.push_back(simple("Allgatherv", &gather_uneven_to_all));
  cases.push_back(simple("Alltoall", &exchange));
  cases.push_back(simple("Alltoallv", &exchange_uneven));
  cases.push_back(simple("Alltoallw", &exchange_of_types));
}

}  // namespace overhead
