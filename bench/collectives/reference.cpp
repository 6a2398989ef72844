#include "collectives/reference.h"

#include <algorithm>
#include <cmath>

#include "support/same_bits.h"

namespace tightwire::bench {
namespace {

// Extends `lowest` and `highest`, which run along the field, by another rank's values.
void widen(std::span<const float> field, std::vector<float>& lowest, std::vector<float>& highest) {
  float low = field.empty() ? 0 : field[0];
  float high = low;
  for (std::size_t i = 0; i < field.size(); ++i) {
    low = std::min(low, field[i]);
    high = std::max(high, field[i]);
    lowest[i] = std::min(lowest[i], low);
    highest[i] = std::max(highest[i], high);
  }
}

double largest_error(std::span<const float> result, std::span<const double> expected) {
  double largest = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double error = std::fabs(static_cast<double>(result[i]) - expected[i]);
    largest = std::isnan(error) ? HUGE_VAL : std::max(largest, error);
  }
  return largest;
}

}  // namespace

std::span<const double> Reference::expected(Collective collective) const {
  return collective == Collective::bcast ? root : sum;
}

double Reference::range(Collective collective, std::size_t count) const {
  const bool of_root = collective == Collective::bcast;
  const float high = (of_root ? root_highest : highest)[count - 1];
  const float low = (of_root ? root_lowest : lowest)[count - 1];
  return static_cast<double>(high) - static_cast<double>(low);
}

Reference make_reference(Data data, std::size_t count, int ranks) {
  Reference reference;
  reference.sum.assign(count, 0);
  reference.lowest.assign(count, HUGE_VALF);
  reference.highest.assign(count, -HUGE_VALF);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<float> field = make_field(data, count, rank);
    for (std::size_t i = 0; i < count; ++i) reference.sum[i] += static_cast<double>(field[i]);
    widen(field, reference.lowest, reference.highest);
    if (rank == root) {
      reference.root.assign(field.begin(), field.end());
      reference.root_lowest = reference.lowest;
      reference.root_highest = reference.highest;
    }
  }
  return reference;
}

Verdict verify(const Reference& reference, Collective collective, const Buffers& buffers,
               std::size_t count, int rank) {
  const std::span<const float> result = result_of(collective, buffers, count, rank);
  Verdict verdict;
  verdict.max_error = largest_error(result, reference.expected(collective).first(result.size()));
  plain_mpi().allreduce(MPI_IN_PLACE, &verdict.max_error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  // The receivers of a broadcast agree with each other, not with the root, whose values are exact.
  const bool receives = !result.empty() && !(collective == Collective::bcast && rank == root);
  verdict.same_bits = same_everywhere(hash_of(std::as_bytes(result)), receives);
  return verdict;
}

}  // namespace tightwire::bench
