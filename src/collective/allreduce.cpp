#include "collective/collective.h"
#include "collective/lane_reduction.h"
#include "collective/measured.h"
#include "collective/rabenseifner.h"
#include "collective/recursive_doubling.h"
#include "collective/ring.h"
#include "collective/scheduled_reduction.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::allreduce;

void carry_out(Communicator& communicator, const ScheduledReduction& all, Work& work) {
  Hop& hop = *all.prepared.hop;
  switch (all.algorithm) {
    case policy::Algorithm::recursive_doubling:
      return recursive_doubling_allreduce(communicator, hop, all.message, work.health,
                                          work.traffic);
    case policy::Algorithm::rabenseifner:
      return rabenseifner_allreduce(communicator, hop, all.message, work.health, work.traffic);
    default:
      return ring_allreduce(communicator, hop, all.message, work.health, work.traffic);
  }
}

}  // namespace

int allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm) {
  const std::optional<Reduction> reduction = recognise(items_of(count), datatype, op, comm);
  const CallName name{"MPI_Allreduce", reduction ? reduction->bytes() : 0};
  // Wrong buffers are for MPI to complain of.
  const bool sound =
      sendbuf != nullptr && recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
  const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
  return guarded(name, comm, [&] {
    const ReductionPlan plan =
        reduction && sound ? plan_for(operation, *reduction, own, comm) : ReductionPlan{};
    const Watch watch(plan.judgement);
    Communicator* communicator = plan.judgement.communicator;
    if (communicator == nullptr) {
      return passed(operation, name,
                    [&] { return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm); });
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
