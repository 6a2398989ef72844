// Allgather and Allgatherv.

#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/movements.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allgather;

// `bytes` of the largest block, which decides for the call.
int gather_to_all(const Form& form, const mpi::CallName& name, const mpi::Buffer& own,
                  const Blocks& all, bool blocks_valid, MPI_Comm comm, const PassThrough& pass) {
  const bool valid = blocks_valid && (own.in_place() || own.valid());
  const MovementPlan plan =
      valid ? plan_movement(operation, name.bytes, own, form.on(comm)) : MovementPlan{};
  return carry_out(form, plan, operation, name, comm, pass, &allgather_schedule, own, all);
}

int gather_blocks(const Form& form, const mpi::Buffer& own, const mpi::Buffer& block, MPI_Comm comm,
                  const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    name.bytes = block.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const mpi::Place place = mpi::place_in(comm, 0);
    return gather_to_all(form, name, own, Blocks(block), place.valid && block.valid(), comm, pass);
  });
}

int gather_uneven(const Form& form, const mpi::Buffer& own, const Blocks& blocks, MPI_Comm comm,
                  const PassThrough& pass) {
  mpi::CallName name{form.function};
  return mpi::guarded(name, comm, [&] {
    const mpi::Place place = mpi::place_in(comm, 0);
    const bool valid = place.valid && blocks.valid(place.size);
    // All ranks know all counts.
    if (valid) name.bytes = blocks.longest_bytes(place.size);
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const auto ranks = static_cast<std::size_t>(place.size);
    return gather_to_all(form, name, own, blocks.numbered(ranks), valid, comm, pass);
  });
}

}  // namespace

int allgather(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
              void* recvbuf, Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
              const PassThrough& pass) {
  return gather_blocks(form, {sendbuf, sendcount, sendtype}, {recvbuf, recvcount, recvtype}, comm,
                       pass);
}

int allgatherv(const Form& form, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
               void* recvbuf, Counts recvcounts, Counts displs, MPI_Datatype recvtype,
               MPI_Comm comm, const PassThrough& pass) {
  return gather_uneven(form, {sendbuf, sendcount, sendtype},
                       {recvbuf, recvtype, recvcounts, displs}, comm, pass);
}

}  // namespace tightwire::collective
