// Gather and Gatherv: every rank's block goes to the root, which decodes one rank's while the next
// one's arrives.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::gather;

}  // namespace

int gather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
           Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
           const PassThrough& pass) {
  const mpi::Buffer own{sendbuf, sendcount, sendtype};
  const mpi::Buffer block{recvbuf, recvcount, recvtype};
  mpi::CallName name{"MPI_Gather"};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, root);
    // At a root that gathers in place, the send arguments mean nothing.
    name.bytes = place.is_root ? block.bytes() : own.bytes();
    const bool in_place = place.is_root && sendbuf == MPI_IN_PLACE;
    const bool valid =
        place.valid && (in_place || own.valid()) && (!place.is_root || block.valid());
    const MovementPlan plan =
        valid ? plan_movement(operation, name.bytes, own, comm) : MovementPlan{};
    const Blocks blocks(block);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return gather_schedule(plan, own, blocks, root, work); });
  });
}

int gatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            Counts recvcounts, Counts displs, MPI_Datatype recvtype, int root, MPI_Comm comm,
            const PassThrough& pass) {
  const mpi::Buffer own{sendbuf, sendcount, sendtype};
  const Blocks blocks(recvbuf, recvtype, recvcounts, displs);
  mpi::CallName name{"MPI_Gatherv"};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, root);
    const bool in_place = place.is_root && sendbuf == MPI_IN_PLACE;
    const bool valid =
        place.valid && (in_place || own.valid()) && (!place.is_root || blocks.valid(place.size));
    name.bytes = in_place ? 0 : own.bytes();
    const MovementPlan plan = plan_uneven_if(valid, operation, comm);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return gather_schedule(plan, own, blocks, root, work); });
  });
}

}  // namespace tightwire::collective
