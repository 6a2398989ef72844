// Gather and Gatherv: every rank's block goes to the root, which decodes one rank's while the next
// one's arrives.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/entry/rooted.h"
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
    name.bytes = own.in_place() ? 0 : own.bytes();
    if (!own.in_place() && is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.block_bytes(block);
    const MovementPlan plan = rooted.valid(block.valid())
                                  ? plan_movement(operation, name.bytes, own, comm)
                                  : MovementPlan{};
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
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.own_bytes();
    const bool valid = rooted.valid(!rooted.is_root() || blocks.valid(rooted.ranks()));
    const MovementPlan plan = plan_uneven_if(valid, operation, comm);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return gather_schedule(plan, own, blocks, root, work); });
  });
}

}  // namespace tightwire::collective
