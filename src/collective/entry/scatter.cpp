// Scatter and Scatterv: the root encodes each rank's block once and sends it there.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/entry/rooted.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::scatter;

int scatter_blocks(const Form& form, const mpi::Buffer& block, const mpi::Buffer& own, int root,
                   MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.in_place() ? 0 : own.bytes();
    if (!own.in_place() && is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.block_bytes(block);
    const mpi::Buffer sent = rooted.is_root() ? block : mpi::Buffer{};
    const MovementPlan plan = rooted.valid(block.valid())
                                  ? plan_movement(operation, name.bytes, sent, form.on(comm))
                                  : MovementPlan{};
    return carry_out(form, plan, operation, name, comm, pass, &scatter_schedule,
                     rooted.blocks(Blocks(block)), own, root);
  });
}

int scatter_uneven(const Form& form, const Blocks& blocks, const mpi::Buffer& own, int root,
                   MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.own_bytes();
    const bool valid = rooted.valid(!rooted.is_root() || blocks.valid(rooted.ranks()));
    MovementPlan plan = plan_uneven_if(valid, operation, form.on(comm));
    if (!rooted.is_root()) plan.uneven.note_arriving(root, rooted.own_bytes());
    return carry_out(form, plan, operation, name, comm, pass, &scatter_schedule,
                     rooted.blocks(blocks), own, root);
  });
}

}  // namespace

int scatter(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
            void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
            const PassThrough& pass) {
  return scatter_blocks(form, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root,
                        comm, pass);
}

int scatterv(const Form& form, const void* sendbuf, Counts sendcounts, Counts displs,
             MPI_Datatype sendtype, void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root,
             MPI_Comm comm, const PassThrough& pass) {
  return scatter_uneven(form, {sendbuf, sendtype, sendcounts, displs},
                        {recvbuf, recvcount, recvtype}, root, comm, pass);
}

}  // namespace tightwire::collective
