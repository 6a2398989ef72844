// The grid of an encoding that will be combined with no other: step and origin suit its values.
//
// Rounding of what is found and of what is decoded takes a part of the bound; it grows with the
// values, so that a grid made for those that there are has the widest step. See docs/dev/format.md,
// "The grid", for the proof, and "What writers do" for what is chosen.
#pragma once

#include "codec/bounded/grid.h"
#include "codec/bounded/layout.h"
#include "codec/fill/fill_values.h"
#include "codec/fill/sample.h"

namespace tightwire::codec::bounded {

struct FittedGrid {
  bool usable = false;  // else the bound is too fine for the type, or for these values
  double step = 0;
  float origin = 0;
  GridUse use;
  double most = 0;  // no integer beyond may be held: one of a fill value
};

// Holds no fill value, and others as far as it pays; a sample is of what may be too far apart.
template <class T>
[[nodiscard]] FittedGrid fit_grid(double error_bound, const FillValues& fills,
                                  const Sample& sample);

// The widest step from the origin 0 for values up to `reach`, what rounding takes of the bound left
// out; 0 if that is too much.
template <class T>
[[nodiscard]] double step_beside(double error_bound, double reach);

void put_into(Header& header, const FittedGrid& fitted);

}  // namespace tightwire::codec::bounded
