// How a user's error bound is divided over the encodings of one reduction.
#pragma once

#include <cstdint>

#include "settings/values.h"

namespace tightwire::policy {

struct Budget {
  double error_bound = 0;   // of each encoding
  std::uint32_t terms = 1;  // how many encodings are summed on one grid
};

// Sums in the integer domain quantise each contribution once: `terms` errors add up. They are as
// many as ranks, or more if the grid shall not depend on these.
[[nodiscard]] Budget grid_sum(double bound, std::uint32_t terms, settings::BoundAppliesTo applies);

// A minimum or maximum of values that are each within the bound is itself within it.
[[nodiscard]] Budget grid_extremum(double bound);

// With codecs that cannot add encodings every step decodes, adds and encodes again: `ranks`
// encodings stand between a contribution and the result, whatever the operation.
[[nodiscard]] Budget recompressed(double bound, std::uint32_t ranks, bool sum,
                                  settings::BoundAppliesTo applies);

}  // namespace tightwire::policy
