// What a result should be, in double precision, and how far it is from that.
#pragma once

#include <span>
#include <vector>

#include "calibrate/collectives/call.h"
#include "calibrate/collectives/field.h"
#include "support/measure.h"

namespace tightwire::bench {

// Made from every rank's field, which each rank can make by itself: no communication to trust.
struct Reference {
  std::vector<double> sum;     // of all ranks' values
  std::vector<double> root;    // the root's values
  std::vector<float> lowest;   // up to and with this place, over all ranks
  std::vector<float> highest;  // likewise
  std::vector<float> root_lowest;
  std::vector<float> root_highest;

  [[nodiscard]] std::span<const double> expected(Collective collective) const;
  // Width of the range of what the ranks contribute, over the first `count` values.
  [[nodiscard]] double range(Collective collective, std::size_t count) const;
};

[[nodiscard]] Reference make_reference(Data data, std::size_t count, int ranks);

// Of all ranks; every rank gets the same.
struct Verdict {
  double max_error = 0;
  bool same_bits = true;  // at all ranks that hold a result
};

[[nodiscard]] Verdict verify(const Reference& reference, Collective collective,
                             const Buffers& buffers, std::size_t count, int rank);

}  // namespace tightwire::bench
