// Which tokens suit values best, in whole numbers alone: every machine must choose the same.
#pragma once

#include "codec/simd/generic/coded/tokens.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// 64 times the logarithm to base 2, linear between powers of two.
inline std::uint64_t logarithm(std::uint32_t x) {
  const auto whole = static_cast<std::uint64_t>(std::bit_width(x)) - 1;
  return whole * 64 + ((std::uint64_t{x} << 6 >> whole) - 64);
}

// Bits that values of these counts take, times 64, their tables included.
template <class U>
std::uint64_t cost(const entropy::Counts& counts, const Tokens<U>& tokens, std::size_t values) {
  constexpr std::uint64_t of_table = std::uint64_t{5} * 64;
  const std::uint64_t all = logarithm(static_cast<std::uint32_t>(values));
  std::uint64_t sum = 0;
  std::size_t used = 0;
  for (std::size_t t = 0; t < tokens.count(); ++t) {
    if (counts[t] == 0) continue;
    ++used;
    // A code of one token takes no bits, one of two takes one.
    std::uint64_t code = all - logarithm(counts[t]);
    if (code != 0) code = std::max<std::uint64_t>(code, 48);
    sum += counts[t] * (code + std::uint64_t{64} * tokens.extra_of(t));
  }
  return sum + used * of_table * values / segment_values;
}

template <class U>
struct Choice {
  Tokens<U> tokens;
  std::uint64_t cost = 0;
};

// From all values, or a sample of them.
template <class U>
class TokenChooser {
 public:
  TokenChooser(const U* values, std::size_t count) : values_(values), count_(count) {}

  // All the values are between `least` and `most`.
  Choice<U> best(U least, U most) {
    Choice<U> best{{}, ~std::uint64_t{0}};
    consider({}, best);
    const auto width = static_cast<unsigned>(std::bit_width(static_cast<U>(most - least)));
    const unsigned whole = width > 8 ? width - 8 : 0;
    consider({TokenKind::linear, static_cast<std::uint8_t>(whole), least}, best);
    if (whole >= 3) consider(at_the_top(most, whole - 3), best);
    return best;
  }

 private:
  static Tokens<U> at_the_top(U most, unsigned shift) {
    const U last = most >> shift;
    const U first = last > escape_token - 1 ? static_cast<U>(last - (escape_token - 1)) : U{0};
    return {TokenKind::linear, static_cast<std::uint8_t>(shift), static_cast<U>(first << shift)};
  }

  void consider(const Tokens<U>& tokens, Choice<U>& best) {
    TokenCounter counter;
    take_tokens(tokens, values_, count_, scratch_);
    counter.add(scratch_, count_);
    const std::uint64_t bits = cost(counter.counts(), tokens, count_);
    if (bits < best.cost) best = {tokens, bits};
  }

  const U* values_;
  std::size_t count_;
  std::uint16_t scratch_[segment_values / 8];
};

template <class U>
void find_range(const U* values, std::size_t count, U& least, U& most) {
  U low = ~U{0};
  U high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  least = low;
  most = high;
}

// Of a sample, with the kind of tokens that suits it best.
template <class U>
std::uint64_t least_cost(const U* values, std::size_t count) {
  U least = 0;
  U most = 0;
  find_range(values, count, least, most);
  return TokenChooser<U>(values, count).best(least, most).cost;
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
