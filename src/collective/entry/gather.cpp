// Gather and Gatherv: every rank's block goes to the root, which decodes one rank's while the next
// one's arrives.
#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/entry/rooted.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::gather;

int gather_blocks(const Form& form, const mpi::Buffer& own, const mpi::Buffer& block, int root,
                  MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.in_place() ? 0 : own.bytes();
    if (!own.in_place() && is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.block_bytes(block);
    const MovementPlan plan = rooted.valid(block.valid())
                                  ? plan_movement(operation, name.bytes, own, form.on(comm))
                                  : MovementPlan{};
    return carry_out(form, plan, operation, name, comm, pass, &gather_schedule, own,
                     rooted.blocks(Blocks(block)), root);
  });
}

int gather_uneven(const Form& form, const mpi::Buffer& own, const Blocks& blocks, int root,
                  MPI_Comm comm, const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    const Rooted rooted(own, comm, root);
    name.bytes = rooted.own_bytes();
    const bool valid = rooted.valid(!rooted.is_root() || blocks.valid(rooted.ranks()));
    MovementPlan plan = plan_uneven_if(valid, operation, form.on(comm));
    if (plan.plain() != nullptr && rooted.is_root()) {
      for (int rank = 0; rank < rooted.ranks(); ++rank) {
        plan.uneven.note_arriving(rank, blocks.bytes(rank));
      }
    }
    return carry_out(form, plan, operation, name, comm, pass, &gather_schedule, own,
                     rooted.blocks(blocks), root);
  });
}

}  // namespace

int gather(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
           void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
           const PassThrough& pass) {
  return gather_blocks(form, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, root,
                       comm, pass);
}

int gatherv(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
            void* recvbuf, Counts recvcounts, Counts displs, MPI_Datatype recvtype, int root,
            MPI_Comm comm, const PassThrough& pass) {
  return gather_uneven(form, {sendbuf, sendcount, sendtype},
                       {recvbuf, recvtype, recvcounts, displs}, root, comm, pass);
}

}  // namespace tightwire::collective
