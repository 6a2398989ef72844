#include "calibrate/coding_threads.h"

#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "os/cores/affinity.h"
#include "os/thread_pool.h"
#include "policy/tuning/coding_speedup.h"

namespace tightwire::calibrate {
namespace {

constexpr int most_measured = 64;

int smallest_of_all(int value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return value;
}

// Of those that this rank may run on, as other ranks of its host may run there, too.
int own_cores() {
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int ranks = 0;
  MPI_Comm_size(host, &ranks);
  const cpu_set_t own = os::affinity_mask();
  std::vector<cpu_set_t> masks(static_cast<std::size_t>(ranks));
  MPI_Allgather(&own, sizeof own, MPI_BYTE, masks.data(), sizeof own, MPI_BYTE, host);
  MPI_Comm_free(&host);
  return static_cast<int>(os::share_of_cores(own, masks));
}

// To a hundredth, as it is written.
double least_speedup(os::ThreadPool& pool, int threads) {
  MPI_Barrier(MPI_COMM_WORLD);
  double speedup = policy::coding_speedup_of_pool(pool, static_cast<std::size_t>(threads));
  MPI_Allreduce(MPI_IN_PLACE, &speedup, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return std::max(std::floor(100 * speedup) / 100, 1.0);
}

}  // namespace

settings::CodingSpeedups measure_coding_threads(std::uint32_t most) {
  os::ThreadPool pool(most);
  const int wanted = most > 0 ? static_cast<int>(most) : own_cores();
  const int threads =
      smallest_of_all(std::min({wanted, static_cast<int>(pool.available()), most_measured}));
  settings::CodingSpeedups measured;
  for (int each = 2; each <= threads;
       each = each < threads ? std::min(2 * each, threads) : each + 1) {
    measured.points.push_back({static_cast<std::uint32_t>(each), least_speedup(pool, each)});
  }
  return measured;
}

}  // namespace tightwire::calibrate
