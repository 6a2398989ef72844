#include <limits>

#include "collectives/plain_mpi.h"
#include "comparison/inputs.h"

namespace tightwire::comparison {

bool ranks_identical(const Call& call) {
  const bool shared = call.operation == Operation::allreduce ||
                      call.operation == Operation::allgather ||
                      (call.operation == Operation::bcast && call.rank != root);
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  const std::int64_t hash = shared ? hash_of(call.received()) : 0;
  std::int64_t extremes[2] = {shared ? hash : none, shared ? -hash : none};
  bench::plain_mpi().allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return extremes[0] == none || extremes[0] == -extremes[1];
}

}  // namespace tightwire::comparison
