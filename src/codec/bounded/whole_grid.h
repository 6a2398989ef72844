// Grids on which whole numbers come back as they were. See docs/dev/format.md, "What writers do".
#pragma once

#include "codec/bounded/fitted_grid.h"

namespace tightwire::codec::bounded {

// For whole numbers beside others: a step goes into 1, and if it is below 1/4 into that, or it is a
// power of two. Not usable where it would change a fill value.
template <class T>
[[nodiscard]] FittedGrid mixed_grid(double error_bound, const FillValues& fills);

// For whole numbers alone: the step is a power of two from 1 on.
template <class T>
[[nodiscard]] FittedGrid whole_grid(double error_bound, const FillValues& fills);

}  // namespace tightwire::codec::bounded
