// bench-early PATTERN ROUNDS COMPUTE_MS CORES: two ranks that exchange borders, on CORES cores of
// their own each; 0: where the system puts them.
//   halo                compute, pack, send: the send follows the last write at once, as in LULESH
//   pack-compute-send   pack, compute, send
//   partly              a twentieth is rewritten, compute, send
//   unchanged           compute, send
// Prints "row,TOTAL_MS,SEND_MS,OWN_MS" of the median round, after a few that do not count.
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "calibrate/measure/timing.h"
#include "calibrate/measure/world.h"
#include "exchange.h"
#include "support/measure.h"

namespace {

namespace bench = tightwire::bench;
using bench::Exchange;

// Work on registers alone, a fixed amount: it takes longer if somebody takes the core away.
double compute(double milliseconds) {
  constexpr double steps_per_millisecond = 4.2e5;
  double x = 1;
  for (auto i = static_cast<long>(milliseconds * steps_per_millisecond); i > 0; --i)
    x = x * 1.0000001 + 1e-9;
  return x;
}

// Before MPI_Init, which is where Tightwire looks at the mask. Rank i gets the i-th group.
void stay_on_own_cores(int cores) {
  if (cores == 0) return;
  int rank = 0;
  for (const char* name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK"}) {
    if (const char* text = std::getenv(name)) rank = std::atoi(text);  // NOLINT(cert-err34-c)
  }
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int core = rank * cores; core < (rank + 1) * cores; ++core)
    CPU_SET(static_cast<std::size_t>(core), &mask);
  if (sched_setaffinity(0, sizeof mask, &mask) != 0) {
    std::fprintf(stderr, "bench-early: there are no cores %d to %d; say 0 for CORES\n",
                 rank * cores, (rank + 1) * cores - 1);
    std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: bench-early PATTERN ROUNDS COMPUTE_MS CORES\n");
    return 2;
  }
  stay_on_own_cores(std::atoi(argv[4]));  // NOLINT(cert-err34-c)
  MPI_Init(&argc, &argv);
  const std::string pattern = argv[1];
  const int rounds = std::atoi(argv[2]);           // NOLINT(cert-err34-c): from bench/early.py
  const double milliseconds = std::atof(argv[3]);  // NOLINT(cert-err34-c)
  const bool border = pattern == "halo" || pattern == "pack-compute-send";
  Exchange exchange(border ? Exchange::halo(180, 3) : std::vector<int>{1 << 19});
  exchange.pack(0);

  constexpr int warm_up = 8;
  std::vector<double> totals;
  std::vector<double> sends;
  double sink = 0;
  bool good = true;
  for (int round = 0; round < warm_up + rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (pattern == "halo") sink += compute(milliseconds);
    if (border) exchange.pack(round);
    if (pattern == "partly") exchange.pack_part(round);
    if (pattern != "halo") sink += compute(milliseconds);
    const double packed = MPI_Wtime();
    exchange.exchange();
    const double end = MPI_Wtime();
    good = good && exchange.arrived();
    if (round < warm_up) continue;
    totals.push_back(1e3 * (end - start));
    sends.push_back(1e3 * (end - packed));
  }
  if (bench::world_rank() == 0) {
    std::vector<double> own(totals.size());
    std::transform(totals.begin(), totals.end(), sends.begin(), own.begin(), std::minus<>());
    std::printf("row,%.4f,%.4f,%.4f\n", bench::median(totals), bench::median(sends),
                bench::median(own));
    if (sink == 0) std::printf("\n");
  }
  MPI_Finalize();
  if (!good) std::fprintf(stderr, "bench-early: wrong values arrived\n");
  return good ? 0 : 1;
}
