#include "collective/entry/collective.h"
#include "collective/multilane/lane_reduction.h"
#include "collective/plan/measured.h"
#include "collective/plan/scheduled_reduction.h"
#include "collective/reduce/ring.h"
#include "collective/reduce/tree_reduce.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce;

// Wrong arguments are for MPI to complain of. The receive buffer means something at the root alone.
bool sound(const void* sendbuf, const void* recvbuf, int root, MPI_Comm comm) {
  const mpi::Place place = mpi::place_in(comm, root);
  if (!place.valid || sendbuf == nullptr) return false;
  if (!place.is_root) return sendbuf != MPI_IN_PLACE;
  return recvbuf != nullptr && recvbuf != MPI_IN_PLACE && sendbuf != recvbuf;
}

}  // namespace

int reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  const std::optional<Reduction> reduction = recognise(items_of(count), datatype, op, comm);
  const mpi::CallName name{"MPI_Reduce", reduction ? reduction->bytes() : 0};
  const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
  return mpi::guarded(name, comm, [&] {
    const ReductionPlan plan = reduction && sound(sendbuf, recvbuf, root, comm)
                                   ? plan_for(operation, *reduction, own, comm)
                                   : ReductionPlan{};
    const ScopedTimer timer(plan.decision);
    mpi::Communicator* communicator = plan.decision.communicator;
    if (communicator == nullptr) {
      return mpi::passed(operation, name, [&] {
        return PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
      });
    }
    return measured(operation, plan.plan, name, comm, [&](Work& work) {
      void* result = communicator->rank == root ? recvbuf : nullptr;
      if (goes_over_lanes(operation, *reduction, plan)) {
        return lane_reduce({operation, *reduction, plan, own, result}, root, work);
      }
      const ScheduledReduction all = scheduled(operation, *reduction, plan, own, result);
      work.plan.algorithm = all.algorithm;
      work.largest_bound = all.prepared.bound_of_result;
      const auto way = all.algorithm == policy::Algorithm::tree ? tree_reduce : ring_reduce;
      way(*communicator, *all.prepared.reducer, all.message, root, work.health, work.traffic);
    });
  });
}

}  // namespace tightwire::collective
