#include "collective/collective.h"
#include "collective/measured.h"
#include "collective/ring_reduction.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allreduce;

}  // namespace

int allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  const std::optional<Reduction> reduction = recognise(items_of(count), datatype, op, comm);
  const CallName name{"MPI_Allreduce", reduction ? reduction->bytes() : 0};
  // Wrong buffers are for MPI to complain of.
  const bool sound = sendbuf != nullptr && recvbuf != nullptr && sendbuf != recvbuf;
  return guarded(name, comm, [&] {
    const ReductionPlan plan =
        reduction && sound ? plan_for(operation, *reduction, comm) : ReductionPlan{};
    if (plan.communicator == nullptr) {
      return passed(operation, name,
                    [&] { return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
    }
    return measured(operation, plan.plan, name, comm, [&](Work& work) {
      const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
      const RingReduction ring = ring_reduction(
          *reduction, plan, own, recvbuf, even_segments(reduction->items, plan.communicator->size));
      work.largest_bound = ring.prepared.bound_of_result;
      ring_allreduce(*plan.communicator, *ring.prepared.hop, ring.message, work.health,
                     work.traffic);
    });
  });
}

}  // namespace tightwire::collective
