#include "exchange.h"

#include <mpi.h>

#include <algorithm>

#include "calibrate/measure/world.h"
#include "support/measure.h"
#include "values.h"

namespace tightwire::bench {
Exchange::Exchange(const std::vector<int>& counts) {
  for (const int count : counts) {
    sent_.emplace_back(count);
    received_.emplace_back(count);
  }
}

std::vector<int> Exchange::halo(int side, int fields) {
  std::vector<int> counts(26, fields);
  std::fill_n(counts.begin(), 6, side * side * fields);
  std::fill_n(counts.begin() + 6, 12, side * fields);
  return counts;
}

void Exchange::pack(int round) {
  for (Values& values : sent_) {
    for (int i = 0; i < static_cast<int>(values.size()); ++i)
      values[static_cast<std::size_t>(i)] = value(round, i, usual_equal);
  }
}

void Exchange::pack_part(int round) {
  for (Values& values : sent_) {
    const int part = static_cast<int>(values.size()) / 20;
    for (int i = part; i < 2 * part; ++i)
      values[static_cast<std::size_t>(i)] = value(round, i, usual_equal);
  }
}

void Exchange::exchange() {
  const int other = 1 - world_rank();
  std::vector<MPI_Request> requests(2 * sent_.size());
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    MPI_Irecv(received_[i].data(), static_cast<int>(received_[i].size()), MPI_FLOAT, other,
              static_cast<int>(i), MPI_COMM_WORLD, &requests[i]);
  }
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    MPI_Isend(sent_[i].data(), static_cast<int>(sent_[i].size()), MPI_FLOAT, other,
              static_cast<int>(i), MPI_COMM_WORLD, &requests[sent_.size() + i]);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

}  // namespace tightwire::bench
