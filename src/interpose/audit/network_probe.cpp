#include "interpose/audit/network_probe.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "mpi/error.h"

namespace tightwire::auditor {
namespace {

using mpi::check;

// Long enough to outweigh latency on every link where compression could pay.
constexpr int probe_bytes = 256 << 10;
// A switch or a shaper lets a first burst through faster than what comes after.
constexpr int burst_rounds = 4;
constexpr int rounds = 5;

class Probe {
 public:
  explicit Probe(const Ring& ring) : ring_(ring), outgoing_(probe_bytes), incoming_(probe_bytes) {}

  // To the right and from the left at once.
  double seconds(int bytes) {
    const double start = PMPI_Wtime();
    check(PMPI_Sendrecv(outgoing_.data(), bytes, MPI_BYTE, ring_.right, ring_.tag, incoming_.data(),
                        bytes, MPI_BYTE, ring_.left, ring_.tag, ring_.messages, MPI_STATUS_IGNORE));
    return std::max(PMPI_Wtime() - start, 1e-9);
  }

 private:
  const Ring& ring_;
  std::vector<std::byte> outgoing_;
  std::vector<std::byte> incoming_;
};

// In order.
std::array<double, rounds> seconds_of_rounds(Probe& probe, int bytes) {
  std::array<double, rounds> seconds{};
  for (double& each : seconds) each = probe.seconds(bytes);
  std::ranges::sort(seconds);
  return seconds;
}

policy::Network measure(const Ring& ring) {
  Probe probe(ring);
  static_cast<void>(probe.seconds(1));  // sets up connections
  policy::Network network;
  // Whatever holds a message up has nothing to do with the network.
  network.latency = seconds_of_rounds(probe, 1).front();
  for (int round = 0; round < burst_rounds; ++round) static_cast<void>(probe.seconds(probe_bytes));
  // The middle one: the best may profit from a pause.
  const double transfer = seconds_of_rounds(probe, probe_bytes)[rounds / 2] - network.latency;
  network.bandwidth = probe_bytes / std::max(transfer, 1e-9);
  return network;
}

policy::Network slowest(const policy::Network& own, MPI_Comm comm) {
  std::array<double, 2> all{-own.latency, own.bandwidth};
  check(PMPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_DOUBLE, MPI_MIN, comm));
  return {-all[0], all[1]};
}

}  // namespace

policy::Network measured_network(const Ring& ring) {
  return slowest(measure(ring), ring.comm);
}

}  // namespace tightwire::auditor
