#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/reductions.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce;

// Wrong arguments are for MPI to complain of. The receive buffer means something at the root alone.
bool sound(const void* sendbuf, const void* recvbuf, const mpi::Place& place) {
  if (!place.valid || sendbuf == nullptr) return false;
  if (!place.is_root) return sendbuf != MPI_IN_PLACE;
  return recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
}

}  // namespace

int reduce(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm, const PassThrough& pass) {
  const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, count, datatype);
  mpi::CallName name{"MPI_Reduce"};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const auto reduction = recognise(operation, own, op, comm);
    const mpi::Place place = reduction ? mpi::place_in(comm, root) : mpi::Place{};
    const ReductionPlan plan = reduction && sound(sendbuf, recvbuf, place)
                                   ? plan_reduction(*reduction, comm)
                                   : ReductionPlan{};
    void* const result = place.is_root ? recvbuf : nullptr;
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return reduce_schedule(plan, result, root, work); });
  });
}

}  // namespace tightwire::collective
