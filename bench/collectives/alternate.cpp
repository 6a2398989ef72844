#include "collectives/alternate.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>

#include "collectives/counters.h"
#include "support/timing.h"

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
  explicit Sampler(std::size_t message_bytes) : drains_(message_bytes >= smallest_drained) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  }

  // This rank's own time and bytes.
  [[nodiscard]] Measurement sample(const Contender& contender) const {
    contender.prepare();
    if (drains_) drain_burst(rank_, ranks_);
    const std::uint64_t sent = own_sent_bytes();
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    contender.run();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    MPI_Barrier(MPI_COMM_WORLD);
    return {elapsed.count(), own_sent_bytes() - sent};
  }

 private:
  static std::uint64_t own_sent_bytes() { return first_of_host() ? sent_bytes() : 0; }

  bool drains_;
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

std::vector<Measurement> alternate(std::span<const Contender> contenders, std::size_t message_bytes,
                                   const Effort& effort) {
  const Sampler sampler(message_bytes);
  const auto round = [&] {
    const auto start = std::chrono::steady_clock::now();
    for (const Contender& each : contenders) static_cast<void>(sampler.sample(each));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
      const Measurement sample = sampler.sample(contenders[k]);
      seconds[k][i] = sample.seconds;
      bytes[k][i] = sample.wire_bytes;
    }
  }
  std::vector<Measurement> medians;
  for (std::size_t k = 0; k < size; ++k) {
    combine(seconds[k], bytes[k]);
    medians.push_back({median(seconds[k]), median(bytes[k])});
  }
  return medians;
}

std::vector<Measurement> alternate(std::span<const Mode> modes, const Point& point,
                                   Buffers& buffers, const Effort& effort) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<Contender> contenders;
  for (const Mode& mode : modes) {
    contenders.push_back(
        {[&mode] { static_cast<void>(apply(mode)); },
         [&, rank] { run(point.collective, functions_of(mode), buffers, point.count, rank); }});
  }
  return alternate(contenders, point.count * sizeof(float), effort);
}

}  // namespace tightwire::bench
