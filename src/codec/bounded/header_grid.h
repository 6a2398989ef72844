// The grid that a header speaks of.
#pragma once

#include "codec/bounded/grid.h"
#include "codec/bounded/layout.h"

namespace tightwire::codec::bounded {

template <class T>
[[nodiscard]] Grid<T> grid_of(const Header& header) {
  return has_own_grid(header) ? given_grid<T>(header.step, header.origin)
                              : make_grid<T>(header.error_bound, header.terms);
}

// As the writer of an encoding uses it.
template <class T>
[[nodiscard]] Grid<T> grid_to_encode(const Header& header) {
  using Int = typename Grid<T>::Int;
  Grid<T> grid = grid_of<T>(header);
  if (!has_own_grid(header)) return grid;
  grid.exact_below = static_cast<T>(header.use.exact_below);
  grid.wide_encode = header.use.wide_encode;
  grid.limit = static_cast<Int>(header.use.limit);
  grid.fast_limit = static_cast<Int>(header.use.fast_limit);
  return grid;
}

}  // namespace tightwire::codec::bounded
