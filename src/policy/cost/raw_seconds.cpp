#include <algorithm>
#include <cmath>

#include "policy/cost/cost.h"

namespace tightwire::policy {
namespace {

// What a rank adds to another's values in, seconds for each byte.
constexpr double add = 1.5e-10;

}  // namespace

double raw_seconds(const Facts& facts) {
  const double ranks = facts.ranks;
  const double latency = facts.network.latency;
  const double wire = static_cast<double>(facts.bytes) / facts.network.bandwidth;
  const double sum = static_cast<double>(facts.bytes) * add;
  const double steps = std::ceil(std::log2(ranks));
  const double most = (ranks - 1) / ranks;
  switch (facts.operation) {
    case Operation::allreduce:
    case Operation::reduce:
      return std::min(steps * (latency + wire + sum),
                      2 * steps * latency + most * (2 * wire + sum));
    case Operation::reduce_scatter:
      return steps * latency + most * (wire + sum);
    case Operation::scan:
      return steps * (latency + wire + sum);
    case Operation::bcast:
      return std::min(steps * (latency + wire), (steps + ranks - 1) * latency + 2 * most * wire);
    case Operation::gather:
    case Operation::scatter:
      return steps * latency + (ranks - 1) * wire;
    case Operation::send:
    case Operation::neighbor_allgather:  // with one neighbour; with several they are alike
    case Operation::neighbor_alltoall:
      return latency + wire;
    case Operation::allgather:
    case Operation::alltoall:
      return (ranks - 1) * wire + std::min(steps, ranks - 1) * latency;
  }
  return 0;
}

}  // namespace tightwire::policy
