#include "collective/collective.h"
#include "collective/measured.h"
#include "collective/reduction.h"

namespace tightwire::collective {
namespace {

constexpr auto operation = policy::Operation::reduce;

// Wrong arguments are for MPI to complain of. The receive buffer means something at the root alone.
bool sound(const void* sendbuf, const void* recvbuf, int root, MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  check(PMPI_Comm_rank(comm, &rank));
  check(PMPI_Comm_size(comm, &size));
  if (root < 0 || root >= size || sendbuf == nullptr) return false;
  return rank == root ? recvbuf != nullptr && sendbuf != recvbuf : sendbuf != MPI_IN_PLACE;
}

}  // namespace

int reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
           int root, MPI_Comm comm) {
  const std::optional<Reduction> reduction = recognise(count, datatype, op, comm);
  const CallName name{"MPI_Reduce", reduction ? reduction->bytes() : 0};
  return guarded(name, comm, [&] {
    const ReductionPlan plan = reduction && sound(sendbuf, recvbuf, root, comm)
                                   ? plan_for(operation, *reduction, comm)
                                   : ReductionPlan{};
    if (plan.communicator == nullptr) {
      runtime::current().statistics.count_passed(operation, name.bytes);
      return PMPI_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm);
    }
    return measured(operation, plan.plan, name, comm, [&](Work& work) {
      const bool is_root = plan.communicator->rank == root;
      const void* own = sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf;
      const PreparedRing ring =
          prepare_ring(*reduction, plan, own, is_root ? recvbuf : nullptr,
                       even_segments(reduction->items, plan.communicator->size));
      work.largest_bound = ring.bound_of_result;
      ring_reduce(*plan.communicator, *ring.hop, ring.message, root, work.health, work.traffic);
    });
  });
}

}  // namespace tightwire::collective
