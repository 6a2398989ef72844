#include "calibrate/measure/alternate.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "calibrate/measure/counters.h"
#include "calibrate/measure/drain_burst.h"
#include "calibrate/measure/plain_mpi.h"
#include "calibrate/measure/timing.h"
#include "calibrate/measure/world.h"

namespace tightwire::calibrate {
namespace {

// One rank of each host reads the host's counters.
std::uint64_t own_sent_bytes() {
  static const bool reads = first_of_host();
  return reads ? sent_bytes() : 0;
}

// This rank's own time and bytes.
Measurement sample(const Contender& contender, std::size_t message_bytes) {
  contender.prepare();
  drain_burst(message_bytes);
  const std::uint64_t sent = own_sent_bytes();
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = seconds_of(contender.run);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::uint64_t passed = own_sent_bytes() - sent;
  if (contender.settle) contender.settle();
  return {seconds, passed};
}

// The slowest rank's time and the bytes of all, for each sample. By plain MPI: times are not to be
// compressed within the bound of the mode in force.
void combine(std::vector<double>& seconds, std::vector<std::uint64_t>& bytes) {
  const auto allreduce = plain_mpi().allreduce;
  allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX,
            MPI_COMM_WORLD);
  allreduce(MPI_IN_PLACE, bytes.data(), static_cast<int>(bytes.size()), MPI_UINT64_T, MPI_SUM,
            MPI_COMM_WORLD);
}

int samples_for(const Effort& effort, double seconds_a_round) {
  const double wanted = effort.seconds / std::max(seconds_a_round, 1e-9);
  return static_cast<int>(std::clamp<double>(wanted, effort.fewest, effort.most));
}

}  // namespace

std::vector<Measurement> alternate(std::span<const Contender> contenders, std::size_t message_bytes,
                                   const Effort& effort) {
  const auto round = [&] {
    return seconds_of([&] {
      for (const Contender& each : contenders) static_cast<void>(sample(each, message_bytes));
    });
  };
  for (int i = 1; i < effort.warm_ups; ++i) static_cast<void>(round());
  std::vector<double> slowest_round{round()};
  std::vector<std::uint64_t> unused{0};
  combine(slowest_round, unused);

  const auto samples = static_cast<std::size_t>(samples_for(effort, slowest_round[0]));
  const std::size_t size = contenders.size();
  std::vector<std::vector<double>> seconds(size, std::vector<double>(samples));
  std::vector<std::vector<std::uint64_t>> bytes(size, std::vector<std::uint64_t>(samples));
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random;  // NOLINT(bugprone-random-generator-seed): the same on all ranks
  for (std::size_t i = 0; i < samples; ++i) {
    // An order of its own for every round, the same on all ranks: what a contender leaves behind in
    // the caches meets all others alike.
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t k : order) {
      const Measurement taken = sample(contenders[k], message_bytes);
      seconds[k][i] = taken.seconds;
      bytes[k][i] = taken.wire_bytes;
    }
  }
  std::vector<Measurement> medians;
  for (std::size_t k = 0; k < size; ++k) {
    combine(seconds[k], bytes[k]);
    medians.push_back({median(seconds[k]), median(bytes[k])});
  }
  return medians;
}

}  // namespace tightwire::calibrate
