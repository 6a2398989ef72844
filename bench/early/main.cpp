// bench-early PATTERN ROUNDS COMPUTE_MS: two ranks that exchange borders.
//   halo                compute, pack, send: the send follows the last write at once, as in LULESH
//   pack-compute-send   pack, compute, send
//   partly              a twentieth is rewritten, compute, send
//   unchanged           compute, send
// Prints "row,TOTAL_MS,SEND_MS,OWN_MS" of the median round, after a few that do not count.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "exchange.h"

namespace {

using tightwire::bench::Exchange;

// Work on registers alone, a fixed amount: it takes longer if somebody takes the core away.
double compute(double milliseconds) {
  constexpr double steps_per_millisecond = 1.2e6;
  double x = 1;
  for (auto i = static_cast<long>(milliseconds * steps_per_millisecond); i > 0; --i)
    x = x * 1.0000001 + 1e-9;
  return x;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) {
    std::fprintf(stderr, "usage: bench-early PATTERN ROUNDS COMPUTE_MS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
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
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    std::vector<double> own(totals.size());
    std::transform(totals.begin(), totals.end(), sends.begin(), own.begin(), std::minus<>());
    std::printf("row,%.4f,%.4f,%.4f\n", median(totals), median(sends), median(own));
    if (sink == 0) std::printf("\n");
  }
  MPI_Finalize();
  if (!good) std::fprintf(stderr, "bench-early: wrong values arrived\n");
  return good ? 0 : 1;
}
