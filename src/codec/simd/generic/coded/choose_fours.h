// Whether residuals take less as fours.
#pragma once

#include "codec/simd/generic/coded/choose_tokens.h"
#include "codec/simd/generic/coded/fours.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// `plain`: what the sample, which is of so many values, takes without. It is spoilt.
template <class U, std::size_t most>
bool fours_pay(U (&sample)[most], std::size_t count, std::size_t of, std::uint64_t plain) {
  constexpr std::uint64_t of_segment = std::uint64_t{40} * 8 * 64;
  const auto zeros = static_cast<std::size_t>(std::count(sample, sample + count, U{0}));
  if (2 * zeros < count) return false;
  U symbols[most / four];
  const std::size_t others = take_fours(sample, count, symbols);
  std::uint64_t cost = of_segment * count / of + least_cost(symbols, fours_in(count));
  if (others != 0) cost += of_segment * count / of + least_cost(sample, others);
  return cost < plain;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
