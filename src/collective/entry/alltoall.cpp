// Alltoall and Alltoallv: pairwise exchange, at step s with the ranks s further and s before.
#include "collective/entry/collective.h"
#include "collective/move/block_exchange.h"
#include "collective/plan/measured.h"
#include "collective/plan/movement_plan.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::alltoall;

void exchange_blocks(mpi::Communicator& communicator,
                     const std::function<mpi::Buffer(int rank)>& block_for,
                     const std::function<mpi::Buffer(int rank)>& block_from, Work& work) {
  const int ranks = communicator.size;
  copy(block_for(communicator.rank), block_from(communicator.rank), communicator);
  move_in_steps(
      communicator, operation, ranks - 1,
      [&](int step) {
        const int to = (communicator.rank + 1 + step) % ranks;
        const int from = (communicator.rank + ranks - 1 - step) % ranks;
        return Partners{to, block_for(to), from, block_from(from)};
      },
      work);
}

// `pass` hands the call to MPI as it came; counts are int, or MPI 4's wider ones.
template <class Count, class Pass>
int any_alltoall(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Alltoall", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer from{sendbuf, sendcount, sendtype};
    const mpi::Buffer to{recvbuf, recvcount, recvtype};
    const mpi::Place place = mpi::place_in(comm, 0);
    name.bytes = to.bytes();
    const bool own_way = place.valid && sendbuf != MPI_IN_PLACE && from.valid() && to.valid();
    const Decision decision =
        own_way ? decide_movement(operation, name.bytes, from, comm) : Decision{};
    const ScopedTimer timer(decision);
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    return measured(
        operation, common_plan(operation, name.bytes, comm), name, comm, [&](Work& work) {
          exchange_blocks(
              *communicator,
              [&](int rank) { return from.at(std::ptrdiff_t{rank} * sendcount, sendcount); },
              [&](int rank) { return to.at(std::ptrdiff_t{rank} * recvcount, recvcount); }, work);
        });
  });
}

template <class Count, class Displacement, class Pass>
int any_alltoallv(const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
                  MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],
                  const Displacement rdispls[], MPI_Datatype recvtype, MPI_Comm comm, Pass&& pass) {
  mpi::CallName name{"MPI_Alltoallv", 0};
  return mpi::guarded(name, comm, [&] {
    const mpi::Buffer from{sendbuf, 0, sendtype};
    const mpi::Buffer to{recvbuf, 0, recvtype};
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool own_way = place.valid && sendbuf != MPI_IN_PLACE &&
                         mpi::valid_blocks(sendcounts, sdispls, place.size, sendtype) &&
                         mpi::valid_blocks(recvcounts, rdispls, place.size, recvtype);
    // A rank knows no other pair's count: all take this way, and size decides message by message.
    const UnevenDecision decision = own_way ? decide_uneven(operation, comm) : UnevenDecision{};
    mpi::Communicator* communicator = decision.communicator;
    if (communicator == nullptr) return mpi::passed(operation, name, pass);
    for (int rank = 0; rank < communicator->size; ++rank) {
      name.bytes += to.at(0, recvcounts[rank]).bytes();
    }
    return measured(
        operation, common_plan(operation, name.bytes, comm), name, comm, [&](Work& work) {
          exchange_blocks(
              *communicator, [&](int rank) { return from.at(sdispls[rank], sendcounts[rank]); },
              [&](int rank) { return to.at(rdispls[rank], recvcounts[rank]); }, work);
          decision.note(work.traffic);
        });
  });
}

}  // namespace

int alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return any_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, [&] {
    return PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  });
}

int alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const int recvcounts[], const int rdispls[],
              MPI_Datatype recvtype, MPI_Comm comm) {
  return any_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                       recvtype, comm, [&] {
                         return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                               recvcounts, rdispls, recvtype, comm);
                       });
}

#if MPI_VERSION >= 4

int alltoall(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return any_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, [&] {
    return PMPI_Alltoall_c(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
  });
}

int alltoallv(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
              MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return any_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
                       recvtype, comm, [&] {
                         return PMPI_Alltoallv_c(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                                 recvcounts, rdispls, recvtype, comm);
                       });
}

#endif

}  // namespace tightwire::collective
