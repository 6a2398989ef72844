// What rows above and planes before say of an integer, in modular arithmetic.
#pragma once

#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// From the three rows above, halfway between a constant and a quadratic continuation: differences
// of rows grow towards the end of a spectrum, but less than a smooth field's would.
template <class U>
U continued(U one, U two, U three) {
  return 2 * one - two + static_cast<U>(static_cast<std::make_signed_t<U>>(three - two) >> 1);
}
template <class B>
[[gnu::always_inline]] inline B continued_block(B one, B two, B three) {
  return (three - two).halved() + ((one - two) + one);
}

// What the planes before say of q[0].
template <unsigned plane_order, class U>
[[gnu::always_inline]] inline U from_planes(const U* q, std::size_t plane) {
  if constexpr (plane_order == 0) return 0;
  if constexpr (plane_order == 1) return *(q - plane);
  return 2 * *(q - plane) - *(q - 2 * plane);
}
template <unsigned plane_order, class U>
[[gnu::always_inline]] inline Block<U> block_from_planes(const U* q, std::size_t plane) {
  using B = Block<U>;
  if constexpr (plane_order == 0) return B::fill(0);
  const B one = B::load(q - plane);
  if constexpr (plane_order == 1) return one;
  return one + (one - B::load(q - 2 * plane));
}

// What is left of q[0] then.
template <unsigned plane_order, class U>
[[gnu::always_inline]] inline U over_planes(const U* q, std::size_t plane) {
  if constexpr (plane_order == 0) return *q;
  return *q - from_planes<plane_order>(q, plane);
}
template <unsigned plane_order, class U>
[[gnu::always_inline]] inline Block<U> block_over_planes(const U* q, std::size_t plane) {
  if constexpr (plane_order == 0) return Block<U>::load(q);
  return Block<U>::load(q) - block_from_planes<plane_order>(q, plane);
}

// What the rows above say of that.
template <unsigned row_order, unsigned plane_order, class U>
[[gnu::always_inline]] inline U from_rows(const U* q, Distances apart) {
  const std::size_t row = apart.row;
  if constexpr (row_order == 0) return 0;
  const U one = over_planes<plane_order>(q - row, apart.plane);
  if constexpr (row_order <= 1) return one;
  const U two = over_planes<plane_order>(q - 2 * row, apart.plane);
  if constexpr (row_order == 2) return 2 * one - two;
  return continued<U>(one, two, over_planes<plane_order>(q - 3 * row, apart.plane));
}
template <unsigned row_order, unsigned plane_order, class U>
[[gnu::always_inline]] inline Block<U> block_from_rows(const U* q, Distances apart) {
  using B = Block<U>;
  const std::size_t row = apart.row;
  if constexpr (row_order == 0) return B::fill(0);
  const B one = block_over_planes<plane_order>(q - row, apart.plane);
  if constexpr (row_order <= 1) return one;
  const B two = block_over_planes<plane_order>(q - 2 * row, apart.plane);
  if constexpr (row_order == 2) return one + (one - two);
  return continued_block(one, two, block_over_planes<plane_order>(q - 3 * row, apart.plane));
}

// What both say of q[0].
template <unsigned row_order, unsigned plane_order, class U>
[[gnu::always_inline]] inline U from_before(const U* q, Distances apart) {
  const U rows = from_rows<row_order, plane_order>(q, apart);
  if constexpr (plane_order == 0) return rows;
  return rows + from_planes<plane_order>(q, apart.plane);
}
template <unsigned row_order, unsigned plane_order, class U>
[[gnu::always_inline]] inline Block<U> block_from_before(const U* q, Distances apart) {
  const Block<U> rows = block_from_rows<row_order, plane_order>(q, apart);
  if constexpr (plane_order == 0) return rows;
  return rows + block_from_planes<plane_order>(q, apart.plane);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
