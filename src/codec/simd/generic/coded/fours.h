// Residuals four at a time, where most are 0: a symbol for each four of which none is above 2, and
// one for all others.
#pragma once

#include "codec/entropy/layout.h"
#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

inline constexpr std::size_t four = 4;

constexpr std::size_t fours_in(std::size_t count) {
  return (count + four - 1) / four;
}

// Symbols of `count` values, of which the last four may be short. Moves the fours that have none
// together, in `values`; returns how many values they are.
template <class U>
std::size_t take_fours(U* values, std::size_t count, U* symbols) {
  std::size_t others = 0;
  for (std::size_t i = 0; i < fours_in(count); ++i) {
    U v[four] = {};
    std::copy_n(values + i * four, std::min(four, count - i * four), v);
    if (v[0] < 3 && v[1] < 3 && v[2] < 3 && v[3] < 3) {
      symbols[i] = v[0] + 3 * v[1] + 9 * v[2] + 27 * v[3];
      continue;
    }
    symbols[i] = entropy::other_four;
    std::copy_n(v, four, values + others);
    others += four;
  }
  return others;
}

// Four residuals of each symbol, a byte for each.
struct SymbolTable {
  std::uint8_t values[entropy::other_four][four];
};
constexpr SymbolTable make_symbol_table() {
  SymbolTable table{};
  for (std::size_t symbol = 0; symbol < entropy::other_four; ++symbol) {
    std::size_t rest = symbol;
    for (std::size_t i = 0; i < four; ++i, rest /= 3) {
      table.values[symbol][i] = static_cast<std::uint8_t>(rest % 3);
    }
  }
  return table;
}
inline constexpr SymbolTable symbol_table = make_symbol_table();

// How many values the fours without symbols are. False: damaged.
template <class U>
bool count_others(const U* symbols, std::size_t count, std::size_t& others) {
  U most = 0;
  others = 0;
  for (std::size_t i = 0; i < count; ++i) {
    most = std::max(most, symbols[i]);
    others += symbols[i] == entropy::other_four ? four : 0;
  }
  return most <= entropy::other_four;
}

// `others` may stand at the end of what is filled, which is whole fours.
template <class U>
void spread_fours(const U* symbols, std::size_t count, const U* others, U* values) {
  for (std::size_t i = 0; i < count; ++i, values += four) {
    if (symbols[i] == entropy::other_four) {
      std::memmove(values, others, four * sizeof(U));
      others += four;
      continue;
    }
    for (std::size_t j = 0; j < four; ++j) {
      values[j] = symbol_table.values[static_cast<std::size_t>(symbols[i])][j];
    }
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
