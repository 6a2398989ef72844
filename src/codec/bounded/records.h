// How values are to be encoded so that a bound does not change what is no measurement.
//
// docs/user/accuracy.md promises, of one encoding: whole numbers that stand beside others come back
// as they were, and records with integers in the bits of floating-point numbers as a whole;
// docs/dev/format.md, "What writers do", says how.
#pragma once

#include "codec/bounded/fitted_grid.h"
#include "codec/codec.h"

namespace tightwire::codec::bounded {

// Of an encoding alone; not usable where all values must be exact. Reads all of them.
[[nodiscard]] FittedGrid grid_for(ElementType type, std::span<const std::byte> values,
                                  double error_bound);

}  // namespace tightwire::codec::bounded
