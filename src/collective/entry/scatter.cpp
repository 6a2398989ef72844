// Scatter and Scatterv: the root encodes each rank's block once and sends it there.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
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
    const mpi::Place place = mpi::place_in(comm, root);
    // At a root that scatters in place, the receive arguments mean nothing.
    name.bytes = place.is_root ? block.bytes() : own.bytes();
    const bool in_place = place.is_root && recvbuf == MPI_IN_PLACE;
    const bool valid =
        place.valid && (in_place || own.valid()) && (!place.is_root || block.valid());
    const mpi::Buffer sent = place.is_root ? block : mpi::Buffer{};
    const MovementPlan plan =
        valid ? plan_movement(operation, name.bytes, sent, comm) : MovementPlan{};
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
    const mpi::Place place = mpi::place_in(comm, root);
    const bool in_place = place.is_root && recvbuf == MPI_IN_PLACE;
    const bool valid =
        place.valid && (in_place || own.valid()) && (!place.is_root || blocks.valid(place.size));
    name.bytes = in_place ? 0 : own.bytes();
    const MovementPlan plan = plan_uneven_if(valid, operation, comm);
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return scatter_schedule(plan, blocks, own, root, work); });
  });
}

}  // namespace tightwire::collective
