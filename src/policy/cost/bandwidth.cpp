#include "policy/cost/bandwidth.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tightwire::policy {
namespace {

// Latency and adding.
double seconds_beside_wire(Facts facts) {
  facts.network.bandwidth = std::numeric_limits<double>::infinity();
  return raw_seconds(facts);
}

}  // namespace

double bandwidth_by(Facts facts, double seconds) {
  constexpr double least_of_wire = 1.0 / 8;
  seconds = std::max(seconds, seconds_beside_wire(facts) + least_of_wire * seconds);
  double slow = 1e4;
  double fast = 1e13;
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    facts.network.bandwidth = std::sqrt(slow * fast);
    (raw_seconds(facts) > seconds ? slow : fast) = facts.network.bandwidth;
  }
  return facts.network.bandwidth;
}

double learned_bandwidth(const Network& known, double seen) {
  constexpr double far = 4;
  const bool counts = known.known() && !known.rough && seen > known.bandwidth / far;
  return counts ? std::sqrt(known.bandwidth * seen) : seen;
}

Network learned_network(const Facts& facts, double seconds) {
  Network network = facts.network;
  const double beside_wire = seconds_beside_wire(facts);
  if (network.known() && beside_wire > seconds / (network.rough ? 2 : 4)) return network;
  network.bandwidth = learned_bandwidth(network, bandwidth_by(facts, seconds));
  // What the model errs by in adding may be as much as all the wire takes.
  network.rough = beside_wire > seconds / 4;
  return network;
}

}  // namespace tightwire::policy
