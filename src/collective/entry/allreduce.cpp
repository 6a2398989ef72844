#include "collective/entry/carry_out.h"
#include "collective/entry/collective.h"
#include "collective/operation/reductions.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allreduce;

// Wrong buffers are for MPI to complain of.
bool sound(const void* sendbuf, const void* recvbuf) {
  return sendbuf != nullptr && recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
}

}  // namespace

int allreduce(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm, const PassThrough& pass) {
  const mpi::Buffer own = mpi::own_values(sendbuf, recvbuf, count, datatype);
  mpi::CallName name{"MPI_Allreduce"};
  return mpi::guarded(name, comm, [&] {
    name.bytes = own.bytes();
    if (is_small(name.bytes)) return mpi::passed(operation, name, pass);
    const auto reduction = recognise(operation, own, op, comm);
    const ReductionPlan plan =
        reduction && sound(sendbuf, recvbuf) ? plan_reduction(*reduction, comm) : ReductionPlan{};
    return carry_out(plan, operation, name, comm, pass,
                     [&](Work& work) { return allreduce_schedule(plan, recvbuf, work); });
  });
}

}  // namespace tightwire::collective
