// Allgather and Allgatherv.

#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allgather;

// `bytes` of the largest block, which decides for the call.
int gather_to_all(const mpi::CallName& name, const mpi::Buffer& own, const Blocks& all,
                  bool blocks_valid, MPI_Comm comm, const PassThrough& pass) {
  const bool valid = blocks_valid && (own.in_place() || own.valid());
  const MovementPlan plan =
      valid ? plan_movement(operation, name.bytes, own, comm) : MovementPlan{};
  return carry_out(plan, operation, name, comm, pass,
                   [&](Work& work) { return allgather_schedule(plan, own, all, work); });
}

}  // namespace

int allgather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, const PassThrough& pass) {
  const mpi::Buffer own{sendbuf, sendcount, sendtype};
  const mpi::Buffer block{recvbuf, recvcount, recvtype};
  mpi::CallName name{"MPI_Allgather"};
  return mpi::guarded(name, comm, [&] {
    name.bytes = block.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const mpi::Place place = mpi::place_in(comm, 0);
    return gather_to_all(name, own, Blocks(block), place.valid && block.valid(), comm, pass);
  });
}

int allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Counts recvcounts, Counts displs, MPI_Datatype recvtype, MPI_Comm comm,
               const PassThrough& pass) {
  const mpi::Buffer own{sendbuf, sendcount, sendtype};
  const Blocks blocks(recvbuf, recvtype, recvcounts, displs);
  mpi::CallName name{"MPI_Allgatherv"};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool valid = place.valid && blocks.valid(place.size);
    // All ranks know all counts.
    if (valid) name.bytes = blocks.longest_bytes(place.size);
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    return gather_to_all(name, own, blocks, valid, comm, pass);
  });
}

}  // namespace tightwire::collective
