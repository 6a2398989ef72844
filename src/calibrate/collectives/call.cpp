#include "calibrate/collectives/call.h"

#include <algorithm>
#include <limits>

namespace tightwire::calibrate {

std::span<const float> result_of(Collective collective, const Buffers& buffers, std::size_t count,
                                 int rank) {
  if (rank == root && collective == Collective::bcast) return {buffers.own.data(), count};
  if (rank != root && collective == Collective::reduce) return {};
  return {buffers.received.data(), count};
}

void spoil_result(Collective collective, Buffers& buffers, std::size_t count, int rank) {
  if (rank == root && collective == Collective::bcast) return;
  std::fill_n(buffers.received.begin(), count, std::numeric_limits<float>::infinity());
}

void run(Collective collective, const Functions& functions, Buffers& buffers, std::size_t count,
         int rank) {
  const int n = static_cast<int>(count);
  float* const own = buffers.own.data();
  float* const received = buffers.received.data();
  switch (collective) {
    case Collective::allreduce:
      functions.allreduce(own, received, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      return;
    case Collective::reduce:
      functions.reduce(own, received, n, MPI_FLOAT, MPI_SUM, root, MPI_COMM_WORLD);
      return;
    case Collective::bcast:
      functions.bcast(rank == root ? own : received, n, MPI_FLOAT, root, MPI_COMM_WORLD);
      return;
  }
}

}  // namespace tightwire::calibrate
