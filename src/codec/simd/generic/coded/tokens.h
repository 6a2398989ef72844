// Values as tokens and the bits behind them.
#pragma once

#include "codec/entropy/huffman.h"
#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

using entropy::escape_token;
using entropy::segment_values;
using entropy::TokenKind;

// Of a segment. Values are folded residuals.
template <class U>
struct Tokens {
  TokenKind kind = TokenKind::logarithmic;
  std::uint8_t shift = 0;  // linear: bits behind a token
  U base = 0;              // linear: taken off every value

  static constexpr unsigned width = sizeof(U) * 8;

  [[nodiscard]] unsigned extra_of(std::size_t token) const {
    if (kind == TokenKind::linear) return token == escape_token ? width : shift;
    return token < 8 ? 0 : static_cast<unsigned>(token / 4 - 1);
  }
  // What stands above the bits behind a token.
  [[nodiscard]] unsigned head_of(std::size_t token) const {
    if (kind == TokenKind::linear) return token == escape_token ? 0 : static_cast<unsigned>(token);
    return static_cast<unsigned>(token < 8 ? token : token % 4 + 4);
  }
  [[nodiscard]] std::size_t count() const {
    return kind == TokenKind::linear ? escape_token + 1 : std::size_t{4} * (width - 3) + 8;
  }
};

// The bits of a number other than 0.
inline unsigned width_of(std::uint64_t value) {
  return static_cast<unsigned>(std::bit_width(value));
}
// By way of a floating-point number, which compilers make vectors of. With the bit below the
// highest gone it is not rounded up to the next power of two.
inline unsigned width_of(std::uint32_t value) {
  const auto number = static_cast<float>(value & ~(value >> 1));
  return (std::bit_cast<std::uint32_t>(number) >> 23) - 126;
}

// Calls run with a function that gives a value's token.
template <class U, class Run>
auto with_tokens(const Tokens<U>& tokens, Run run) {
  if (tokens.kind == TokenKind::linear) {
    return run([base = tokens.base, shift = tokens.shift](U value) {
      const U head = static_cast<U>(value - base) >> shift;
      return static_cast<std::uint16_t>(std::min(head, U{escape_token}));
    });
  }
  return run([](U value) {
    // Ones in the low bits make small values as wide as their tokens are.
    const unsigned more = width_of(static_cast<U>(value | 7)) - 3;
    return static_cast<std::uint16_t>(4 * more + static_cast<unsigned>(value >> more));
  });
}

template <class U>
void take_tokens(const Tokens<U>& tokens, const U* values, std::size_t count, std::uint16_t* to) {
  with_tokens(tokens, [&](auto token_of) {
    for (std::size_t i = 0; i < count; ++i) to[i] = token_of(values[i]);
  });
}

// Counts tokens, with an array for each of several neighbours, lest an addition wait for the one
// before it.
class TokenCounter {
 public:
  void add(const std::uint16_t* tokens, std::size_t count) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      const auto four = load<std::uint64_t>(tokens + i);
      for (std::size_t j = 0; j < 4; ++j) ++counts_[j][four >> 16 * j & 0xffff];
    }
    for (; i < count; ++i) ++counts_[0][tokens[i]];
  }
  [[nodiscard]] entropy::Counts counts() const {
    entropy::Counts sum;
    for (std::size_t t = 0; t < sum.size(); ++t) {
      sum[t] = counts_[0][t] + counts_[1][t] + counts_[2][t] + counts_[3][t];
    }
    return sum;
  }

 private:
  entropy::Counts counts_[4] = {};
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
