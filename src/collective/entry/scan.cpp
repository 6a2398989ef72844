// Scan and Exscan.
#include "collective/entry/collective.h"
#include "collective/plan/measured.h"
#include "collective/plan/reduction_plan.h"
#include "collective/reduce/chain_scan.h"
#include "mpi/partition.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::scan;

// `pass` hands the call to MPI as it came.
template <class Pass>
int prefix(const char* function, bool inclusive, const void* sendbuf, void* recvbuf, int count,
           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, Pass&& pass) {
  const std::optional<Reduction> reduction = recognise(items_of(count), datatype, op, comm);
  const mpi::CallName name{function, reduction ? reduction->bytes() : 0};
  // Wrong buffers are for MPI to complain of; rank 0's receive buffer of an Exscan means nothing.
  const bool sound = sendbuf != nullptr && sendbuf != recvbuf &&
                     ((recvbuf != nullptr && recvbuf != MPI_IN_PLACE) || !inclusive);
  const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
  return mpi::guarded(name, comm, [&] {
    const ReductionPlan plan =
        reduction && sound ? plan_for(operation, *reduction, own, comm) : ReductionPlan{};
    const ScopedTimer timer(plan.decision);
    mpi::Communicator* communicator = plan.decision.communicator;
    if (communicator == nullptr) {
      return mpi::passed(operation, name, [&] { return pass(); });
    }
    return measured(operation, plan.plan, name, comm, [&](Work& work) {
      const std::size_t chunks = schedule_for(operation, *reduction, plan).chunks;
      const PreparedReducer prepared =
          prepare_reducer(*reduction, plan, own, mpi::longest_part(reduction->items, chunks),
                          plan.decision.communicator->size);
      work.largest_bound = prepared.bound_of_result;
      const ScanMessage message{static_cast<const std::byte*>(own),
                                static_cast<std::byte*>(recvbuf), reduction->items,
                                reduction->type.item_size, chunks};
      chain_scan(*communicator, *prepared.reducer, message, inclusive, work.health, work.traffic);
    });
  });
}

}  // namespace

int scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
         MPI_Comm comm) {
  return prefix("MPI_Scan", true, sendbuf, recvbuf, count, datatype, op, comm,
                [&] { return PMPI_Scan(sendbuf, recvbuf, count, datatype, op, comm); });
}

int exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           MPI_Comm comm) {
  return prefix("MPI_Exscan", false, sendbuf, recvbuf, count, datatype, op, comm,
                [&] { return PMPI_Exscan(sendbuf, recvbuf, count, datatype, op, comm); });
}

}  // namespace tightwire::collective
