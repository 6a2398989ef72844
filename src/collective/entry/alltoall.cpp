// Alltoall and Alltoallv.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::alltoall;

std::size_t bytes_of_all(const Blocks& blocks, int ranks) {
  std::size_t bytes = 0;
  for (int rank = 0; rank < ranks; ++rank) bytes += blocks.bytes(rank);
  return bytes;
}

}  // namespace

int alltoall(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass) {
  const mpi::Buffer sent{sendbuf, sendcount, sendtype};
  const mpi::Buffer received{recvbuf, recvcount, recvtype};
  mpi::CallName name{"MPI_Alltoall"};
  return mpi::guarded(name, comm, [&] {
    name.bytes = received.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool valid = place.valid && sent.valid() && received.valid();
    const MovementPlan plan =
        valid ? plan_movement(operation, name.bytes, sent, comm) : MovementPlan{};
    const Blocks from(sent);
    const Blocks to(received);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return alltoall_schedule(plan, from, to, work); });
  });
}

int alltoallv(const void* sendbuf, Counts sendcounts, Counts sdispls, MPI_Datatype sendtype,
              void* recvbuf, Counts recvcounts, Counts rdispls, MPI_Datatype recvtype,
              MPI_Comm comm, const PassThrough& pass) {
  const Blocks from(sendbuf, sendtype, sendcounts, sdispls);
  const Blocks to(recvbuf, recvtype, recvcounts, rdispls);
  mpi::CallName name{"MPI_Alltoallv"};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool valid =
        place.valid && sendbuf != MPI_IN_PLACE && from.valid(place.size) && to.valid(place.size);
    const MovementPlan plan = plan_uneven_if(valid, operation, comm);
    if (plan.communicator != nullptr) name.bytes = bytes_of_all(to, place.size);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return alltoall_schedule(plan, from, to, work); });
  });
}

}  // namespace tightwire::collective
