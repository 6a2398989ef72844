// bench-noise: what Tightwire costs where there is nothing to gain. A run of MPI_Allreduce calls on
// noise that does not compress, and on small messages, in turns with plain MPI; the whole run
// counts, its first calls too, in which Tightwire finds out. Prints the rows of ../noise.py's CSV.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "calibrate/measure/drain_burst.h"
#include "calibrate/measure/plain_mpi.h"
#include "calibrate/measure/timing.h"
#include "calibrate/measure/world.h"
#include "support/measure.h"
#include "tightwire.h"

namespace tightwire::bench {
namespace {

constexpr std::size_t small_message = std::size_t{512} << 10;

// Bits at random, so far as they are numbers: no codec finds anything in them.
std::vector<float> noise(std::size_t count, int rank) {
  std::mt19937_64 random(static_cast<unsigned>(rank) + 1);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  std::ranges::generate(values, [&] { return normal(random); });
  return values;
}

class Run {
 public:
  explicit Run(std::size_t bytes)
      : own_(noise(bytes / sizeof(float), world_rank())), result_(own_.size()) {}

  void calls(int count) {
    std::mt19937 random;  // NOLINT(bugprone-random-generator-seed): the same on all ranks
    for (int i = 0; i < count; ++i) {
      const bool raw_first = random() % 2 == 0;
      if (raw_first) raw_.push_back(time(plain_mpi()));
      ours_.push_back(time(called_by_programs()));
      if (!raw_first) raw_.push_back(time(plain_mpi()));
    }
  }

  void print(const char* data) {
    reduce_to_slowest(raw_);
    reduce_to_slowest(ours_);
    if (world_rank() != 0) return;
    const double raw = sum(raw_);
    const double ours = sum(ours_);
    std::printf("%s,%zu,%zu,%.3f,%.3f,%.4f,%.4f\n", data, own_.size() * sizeof(float), raw_.size(),
                raw * 1e3, ours * 1e3, ours / raw, median(ours_) / median(raw_));
    std::fflush(stdout);
  }

 private:
  double time(const Functions& functions) {
    drain_burst(own_.size() * sizeof(float));
    MPI_Barrier(MPI_COMM_WORLD);
    return seconds_of([&] {
      functions.allreduce(own_.data(), result_.data(), static_cast<int>(own_.size()), MPI_FLOAT,
                          MPI_SUM, MPI_COMM_WORLD);
    });
  }

  static void reduce_to_slowest(std::vector<double>& seconds) {
    plain_mpi().allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()),
                          MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }

  static double sum(const std::vector<double>& seconds) {
    double all = 0;
    for (const double each : seconds) all += each;
    return all;
  }

  std::vector<float> own_;
  std::vector<float> result_;
  std::vector<double> raw_;
  std::vector<double> ours_;
};

// What happens once in a job's life is not what is measured: connections, and the look at the
// network in the first call that might be compressed.
void warm_up() {
  Run run(small_message);
  tightwire_set("mode", "exact");
  run.calls(5);
  tightwire_set("mode", "adaptive+pipelined");
}

// Small messages take so little time that the machine's other work shows in few of them.
int calls_of(std::size_t bytes, int calls) {
  return bytes < small_message ? 8 * calls : calls;
}

int measure(int calls, const std::vector<std::size_t>& sizes) {
  if (tightwire_available() == 0) {
    std::fputs("run this under tightwire: mpirun -n 4 tightwire bench-noise-...\n", stderr);
    return 2;
  }
  warm_up();
  if (world_rank() == 0) std::puts("data,bytes,calls,raw_ms,ours_ms,ours_over_raw,median_over_raw");
  for (const auto& [data, bound] : {std::pair{"exact", "none"}, {"bounded", "1e-9"}}) {
    tightwire_set("error-bound", bound);
    for (const std::size_t bytes : sizes) {
      Run run(bytes);
      run.calls(calls_of(bytes, calls));
      run.print(data);
    }
  }
  return 0;
}

}  // namespace
}  // namespace tightwire::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? std::atoi(argv[1]) : 50;
  std::vector<std::size_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::strtoull(argv[i], nullptr, 10));
  const bool good = calls > 0 && !sizes.empty() && std::ranges::min(sizes) >= sizeof(float);
  if (!good) std::fputs("usage: bench-noise CALLS BYTES...\n", stderr);
  const int code = good ? tightwire::bench::measure(calls, sizes) : 2;
  MPI_Finalize();
  return code;
}
