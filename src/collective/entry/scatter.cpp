// Scatter and Scatterv: the root encodes each rank's block once and sends it there.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/entry/rooted.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::scatter;

}  // namespace

int scatter(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
            const PassThrough& pass) {
  const mpi::Buffer own{recvbuf, recvcount, recvtype};
  const mpi::Buffer block{sendbuf, sendcount, sendtype};
  mpi::CallName name{"MPI_Scatter"};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.in_place() ? 0 : own.bytes();
    if (!own.in_place() && is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.block_bytes(block);
    const mpi::Buffer sent = rooted.is_root() ? block : mpi::Buffer{};
    const MovementPlan plan = rooted.valid(block.valid())
                                  ? plan_movement(operation, name.bytes, sent, comm)
                                  : MovementPlan{};
    const Blocks blocks(block);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return scatter_schedule(plan, blocks, own, root, work); });
  });
}

int scatterv(const void* sendbuf, Counts sendcounts, Counts displs, MPI_Datatype sendtype,
             void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
             const PassThrough& pass) {
  const mpi::Buffer own{recvbuf, recvcount, recvtype};
  const Blocks blocks(sendbuf, sendtype, sendcounts, displs);
  mpi::CallName name{"MPI_Scatterv"};
  return mpi::guarded(name, comm, [&] {
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.own_bytes();
    const bool valid = rooted.valid(!rooted.is_root() || blocks.valid(rooted.ranks()));
    const MovementPlan plan = plan_uneven_if(valid, operation, comm);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return scatter_schedule(plan, blocks, own, root, work); });
  });
}

}  // namespace tightwire::collective
