#include "interpose/audit/network_probe.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "audit/probe_plan.h"
#include "mpi/error.h"

namespace tightwire::auditor {
namespace {

using mpi::check;

constexpr int latency_rounds = 5;

class Probe {
 public:
  explicit Probe(const Ring& ring)
      : ring_(ring), outgoing_(audit::ProbePlan::largest), incoming_(audit::ProbePlan::largest) {}

  // To the right and from the left at once.
  double seconds(std::size_t size) {
    const auto bytes = static_cast<int>(size);
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

double agreed(double own, MPI_Op op, MPI_Comm comm) {
  check(PMPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, op, comm));
  return own;
}

// Whatever holds a message up has nothing to do with the network.
double latency_of(Probe& probe) {
  static_cast<void>(probe.seconds(1));  // sets up connections
  double least = probe.seconds(1);
  for (int round = 1; round < latency_rounds; ++round) least = std::min(least, probe.seconds(1));
  return least;
}

}  // namespace

policy::Network measured_network(const Ring& ring, double run_seconds) {
  Probe probe(ring);
  policy::Network network;
  network.latency = agreed(latency_of(probe), MPI_MAX, ring.comm);
  const double shortest = agreed(run_seconds, MPI_MIN, ring.comm);
  audit::ProbePlan plan(audit::ProbePlan::budget(shortest), network.latency);
  while (const std::size_t bytes = plan.next_bytes()) {
    const double own = probe.seconds(bytes);
    plan.count(agreed(own, MPI_MAX, ring.comm), own);
  }
  network.bandwidth = agreed(plan.bandwidth(), MPI_MIN, ring.comm);
  return network;
}

}  // namespace tightwire::auditor
