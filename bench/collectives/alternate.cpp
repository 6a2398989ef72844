#include "collectives/alternate.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>

#include "collectives/counters.h"
#include "collectives/median.h"

namespace tightwire::bench {
namespace {

// A shaped link (a token bucket, in a laboratory or a cloud) lets a burst through at full speed
// after a pause. Before a large message every rank sends that much, so that it meets the link's
// steady rate, as it would on a real wire.
constexpr std::size_t burst = std::size_t{512} << 10;
constexpr std::size_t smallest_drained = std::size_t{16} << 10;

void drain_burst(int rank, int ranks) {
  static std::vector<char> sent(burst);
  static std::vector<char> received(burst);
  const int size = static_cast<int>(burst);
  const int right = (rank + 1) % ranks;
  const int left = (rank + ranks - 1) % ranks;
  MPI_Sendrecv(sent.data(), size, MPI_BYTE, right, 0, received.data(), size, MPI_BYTE, left, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// One rank of each host reads the host's counters.
bool first_of_host() {
  static const bool first = [] {
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    int rank = 0;
    MPI_Comm_rank(host, &rank);
    MPI_Comm_free(&host);
    return rank == 0;
  }();
  return first;
}

class Sampler {
 public:
  Sampler(const Point& point, Buffers& buffers) : point_(point), buffers_(buffers) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  // This rank's own time and bytes.
  Measurement sample(const Mode& mode) {
    static_cast<void>(apply(mode));
    if (point_.count * sizeof(float) >= smallest_drained) drain_burst(rank_, ranks_);
    const std::uint64_t sent = own_sent_bytes();
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    run(point_.collective, functions_of(mode), buffers_, point_.count, rank_);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    MPI_Barrier(MPI_COMM_WORLD);
    return {elapsed.count(), own_sent_bytes() - sent};
  }

 private:
  static std::uint64_t own_sent_bytes() { return first_of_host() ? sent_bytes() : 0; }

  const Point& point_;
  Buffers& buffers_;
  int rank_ = 0;
  int ranks_ = 1;
};

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

std::vector<Measurement> alternate(std::span<const Mode> modes, const Point& point,
                                   Buffers& buffers, const Effort& effort) {
  Sampler sampler(point, buffers);
  for (const Mode& mode : modes) static_cast<void>(sampler.sample(mode));  // warms up

  const auto start = std::chrono::steady_clock::now();
  for (const Mode& mode : modes) static_cast<void>(sampler.sample(mode));
  const std::chrono::duration<double> round = std::chrono::steady_clock::now() - start;
  std::vector<double> slowest_round{round.count()};
  std::vector<std::uint64_t> unused{0};
  combine(slowest_round, unused);

  const auto samples = static_cast<std::size_t>(samples_for(effort, slowest_round[0]));
  std::vector<std::vector<double>> seconds(modes.size(), std::vector<double>(samples));
  std::vector<std::vector<std::uint64_t>> bytes(modes.size(), std::vector<std::uint64_t>(samples));
  std::vector<std::size_t> order(modes.size());
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random;  // NOLINT(bugprone-random-generator-seed): the same on all ranks
  for (std::size_t i = 0; i < samples; ++i) {
    // An order of its own for every round, the same on all ranks: what a mode leaves behind in the
    // caches meets all others alike.
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t mode : order) {
      const Measurement sample = sampler.sample(modes[mode]);
      seconds[mode][i] = sample.seconds;
      bytes[mode][i] = sample.wire_bytes;
    }
  }
  std::vector<Measurement> medians;
  for (std::size_t mode = 0; mode < modes.size(); ++mode) {
    combine(seconds[mode], bytes[mode]);
    medians.push_back({median(seconds[mode]), median(bytes[mode])});
  }
  return medians;
}

}  // namespace tightwire::bench
