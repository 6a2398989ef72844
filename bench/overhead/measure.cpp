#include "measure.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <thread>

#include "calibrate/measure/timing.h"
#include "support/measure.h"

namespace overhead {
namespace {

namespace bench = tightwire::bench;

constexpr double sample_seconds = 1e-3;
constexpr int fewest_samples = 7;
constexpr int most_samples = 401;
// Threads that wait for each other on too few cores may take so long that fewer must do.
constexpr double most_overrun = 5;

int rank_of_process() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// As rank 0 has it.
template <class T>
T agreed(T value) {
  PMPI_Bcast(&value, sizeof value, MPI_BYTE, 0, MPI_COMM_WORLD);
  return value;
}

class Sampler {
 public:
  Sampler(const Case& measured, const std::vector<MPI_Comm>& comms, int requests)
      : measured_(measured), comms_(comms), requests_(requests) {}

  // Seconds of `times` repetitions, with calls of one kind.
  double sample(const Functions& mpi, long times) {
    PMPI_Barrier(MPI_COMM_WORLD);
    std::barrier together(static_cast<std::ptrdiff_t>(comms_.size()));
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < comms_.size(); ++i) {
      others.emplace_back([&, i] { run(mpi, comms_[i], times, together); });
    }
    return run(mpi, comms_[0], times, together);
  }

 private:
  template <class Barrier>
  double run(const Functions& mpi, MPI_Comm comm, long times, Barrier& together) const {
    const auto sequence = measured_.make(Place{mpi, comm, rank_of_process(), requests_});
    sequence->prepare();
    sequence->once();
    together.arrive_and_wait();
    const double seconds = bench::seconds_of([&] {
      for (long i = 0; i < times; ++i) sequence->once();
    });
    together.arrive_and_wait();
    sequence->finish();
    return seconds;
  }

  const Case& measured_;
  const std::vector<MPI_Comm>& comms_;
  int requests_;
};

// So many that a sample is long enough for the clock.
long repetitions(Sampler& sampler) {
  long times = 1;
  while (agreed(sampler.sample(plain_mpi(), times)) < sample_seconds && times < 1'000'000) {
    times *= 4;
  }
  return times;
}

}  // namespace

Times measure(const Case& measured, const std::vector<MPI_Comm>& comms, int requests,
              double seconds) {
  Sampler sampler(measured, comms, requests);
  const long times = repetitions(sampler);
  const double one = agreed(sampler.sample(called_by_programs(), times));
  const int samples =
      std::clamp(static_cast<int>(agreed(seconds) / (2 * one)), fewest_samples, most_samples);
  std::vector<double> plain;
  std::vector<double> tightwire;
  const auto start = std::chrono::steady_clock::now();
  const auto is_late = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return agreed(static_cast<int>(spent.count() > most_overrun * seconds)) != 0;
  };
  for (int i = 0; i < samples; ++i) {
    if (i > 0 && is_late()) break;
    // Neither is always the one that comes after the other.
    if (i % 2 == 0) plain.push_back(sampler.sample(plain_mpi(), times));
    tightwire.push_back(sampler.sample(called_by_programs(), times));
    if (i % 2 == 1) plain.push_back(sampler.sample(plain_mpi(), times));
  }
  const double unit = 1e9 / static_cast<double>(times) / (measured.per_request ? requests : 1);
  return {bench::median(plain) * unit, bench::median(tightwire) * unit};
}

}  // namespace overhead
