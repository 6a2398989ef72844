// Values that are kept as they are, or are fill values: gaps among the integers, of which nothing
// is coded. They hold what is predicted of them, so that prediction goes on across them.
#pragma once

#include "codec/simd/generic/coded/differences.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// A bit for each value, 16 to a block; null where there are none.
using GapMasks = const std::uint16_t*;

// Calls use(block, first lane, lanes, mask) for each block of `count` values.
template <class Use>
void for_each_gap_mask(GapMasks gaps, std::size_t count, Use use) {
  for (std::size_t first = 0; first < count; first += block_values) {
    use(first, std::min(block_values, count - first), unsigned{gaps[first / block_values]});
  }
}

// Moves what is between the gaps together; returns how many there are.
template <class U>
std::size_t drop_gaps(U* x, std::size_t count, GapMasks gaps) {
  std::size_t kept = 0;
  for_each_gap_mask(gaps, count, [&](std::size_t first, std::size_t lanes, unsigned mask) {
    if (mask == 0) {
      std::memmove(x + kept, x + first, lanes * sizeof(U));
      kept += lanes;
      return;
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      x[kept] = x[first + i];
      kept += (mask >> i & 1) == 0;
    }
  });
  return kept;
}

// The inverse, with 0 for gaps. Arrays do not overlap.
template <class U>
void spread_to_gaps(const U* kept, std::size_t count, GapMasks gaps, U* x) {
  for_each_gap_mask(gaps, count, [&](std::size_t first, std::size_t lanes, unsigned mask) {
    if (mask == 0) {
      std::copy_n(kept, lanes, x + first);
      kept += lanes;
      return;
    }
    for (std::size_t i = 0; i < lanes; ++i) {
      const bool gap = (mask >> i & 1) != 0;
      x[first + i] = gap ? U{0} : *kept;
      kept += gap ? 0 : 1;
    }
  });
}

inline std::size_t count_gaps(GapMasks gaps, std::size_t count) {
  std::size_t sum = 0;
  for_each_gap_mask(gaps, count, [&](std::size_t, std::size_t lanes, unsigned mask) {
    sum += static_cast<std::size_t>(std::popcount(mask & ((1u << lanes) - 1)));
  });
  return sum;
}

// Until it is known what predicts best, gaps hold what is before them.
template <class U>
void hold_gaps(U* q, std::size_t count, GapMasks gaps) {
  for_each_gap_mask(gaps, count, [&](std::size_t first, std::size_t lanes, unsigned mask) {
    if (mask == 0) return;
    U* here = q + first;
    for (std::size_t i = 0; i < lanes; ++i, ++here) {
      if ((mask >> i & 1) != 0) *here = here[-1];
    }
  });
}

// q[0] less what rows and planes before say of it.
template <unsigned row_order, unsigned plane_order, class U>
U less_before(const U* q, Distances apart) {
  return *q - from_before<row_order, plane_order>(q, apart);
}

// What leaves no residual.
template <unsigned row_order, unsigned plane_order, class U>
U predicted(const U* q, const entropy::Differences& by) {
  U sum = from_before<row_order, plane_order>(q, by.apart);
  for (std::size_t k = 1; k <= by.order; ++k) {
    const U part = entropy::binomials[by.order][k] *
                   less_before<row_order, plane_order>(q - k * by.lag, by.apart);
    sum = k % 2 == 1 ? sum + part : sum - part;
  }
  return sum;
}

template <class U>
void predict_gaps(U* q, std::size_t count, GapMasks gaps, const entropy::Differences& by) {
  with_orders(by, [&](auto rows, auto planes) {
    for_each_gap_mask(gaps, count, [&](std::size_t first, std::size_t lanes, unsigned mask) {
      if (mask == 0) return;
      for (std::size_t i = 0; i < lanes; ++i) {
        if ((mask >> i & 1) == 0) continue;
        q[first + i] = predicted<rows.value, planes.value>(q + first + i, by);
      }
    });
  });
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
