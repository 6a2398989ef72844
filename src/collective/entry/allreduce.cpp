#include "collective/entry/collective.h"
#include "collective/multilane/lane_reduction.h"
#include "collective/plan/measured.h"
#include "collective/plan/scheduled_reduction.h"
#include "collective/reduce/rabenseifner.h"
#include "collective/reduce/recursive_doubling.h"
#include "collective/reduce/ring.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allreduce;

void carry_out(mpi::Communicator& communicator, const ScheduledReduction& all, Work& work) {
  FrameReducer& reducer = *all.prepared.reducer;
  switch (all.algorithm) {
    case policy::Algorithm::recursive_doubling:
      return recursive_doubling_allreduce(communicator, reducer, all.message, work.health,
                                          work.traffic);
    case policy::Algorithm::rabenseifner:
      return rabenseifner_allreduce(communicator, reducer, all.message, work.health, work.traffic);
    default:
      return ring_allreduce(communicator, reducer, all.message, work.health, work.traffic);
  }
}

}  // namespace

int allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  const std::optional<Reduction> reduction = recognise(items_of(count), datatype, op, comm);
  const mpi::CallName name{"MPI_Allreduce", reduction ? reduction->bytes() : 0};
  // Wrong buffers are for MPI to complain of.
  const bool sound =
      sendbuf != nullptr && recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
  const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
  return mpi::guarded(name, comm, [&] {
    const ReductionPlan plan =
        reduction && sound ? plan_for(operation, *reduction, own, comm) : ReductionPlan{};
    const ScopedTimer timer(plan.decision);
    mpi::Communicator* communicator = plan.decision.communicator;
    if (communicator == nullptr) {
      return mpi::passed(operation, name, [&] {
        return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
      });
    }
    return measured(operation, plan.plan, name, comm, [&](Work& work) {
      if (goes_over_lanes(operation, *reduction, plan)) {
        return lane_allreduce({operation, *reduction, plan, own, recvbuf}, work);
      }
      const ScheduledReduction all = scheduled(operation, *reduction, plan, own, recvbuf);
      work.plan.algorithm = all.algorithm;
      work.largest_bound = all.prepared.bound_of_result;
      carry_out(*communicator, all, work);
    });
  });
}

}  // namespace tightwire::collective
