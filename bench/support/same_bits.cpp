#include "support/same_bits.h"

#include <limits>

#include "calibrate/measure/plain_mpi.h"
#include "support/measure.h"

namespace tightwire::bench {

// The highest hash against the lowest.
bool same_everywhere(std::int64_t hash, bool holds_result) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();
  std::int64_t extremes[2] = {holds_result ? hash : none, holds_result ? -hash : none};
  plain_mpi().allreduce(MPI_IN_PLACE, extremes, 2, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
  return extremes[0] == none || extremes[0] == -extremes[1];
}

}  // namespace tightwire::bench
