// Collectives of neighbours, 8 bytes to and from the one that each rank has.
#include "cases.h"

namespace overhead {
namespace {

constexpr std::array<MPI_Aint, 1> start{0};

void gather_to_all(const Place& at, Memory& memory) {
  at.mpi.Neighbor_allgather(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                            MPI_INT64_T, at.comm);
}

void gather_uneven_to_all(const Place& at, Memory& memory) {
  at.mpi.Neighbor_allgatherv(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), ones.data(),
                             places.data(), MPI_INT64_T, at.comm);
}

void exchange(const Place& at, Memory& memory) {
  at.mpi.Neighbor_alltoall(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                           MPI_INT64_T, at.comm);
}

void exchange_uneven(const Place& at, Memory& memory) {
  at.mpi.Neighbor_alltoallv(memory.send.data(), ones.data(), places.data(), MPI_INT64_T,
                            memory.receive.data(), ones.data(), places.data(), MPI_INT64_T,
                            at.comm);
}

void exchange_of_types(const Place& at, Memory& memory) {
  const std::array<MPI_Datatype, 1> types{MPI_INT64_T};
  at.mpi.Neighbor_alltoallw(memory.send.data(), ones.data(), start.data(), types.data(),
                            memory.receive.data(), ones.data(), start.data(), types.data(),
                            at.comm);
}

}  // namespace

void add_neighbours(std::vector<Case>& cases) {
  cases.push_back(simple("Neighbor_allgather", &gather_to_all));
  cases.push_back(simple("Neighbor_allgatherv", &gather_uneven_to_all));
  cases.push_back(simple("Neighbor_alltoall", &exchange));
  cases.push_back(simple("Neighbor_alltoallv", &exchange_uneven));
  cases.push_back(simple("Neighbor_alltoallw", &exchange_of_types));
}

}  // namespace overhead
