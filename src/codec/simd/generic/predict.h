// Linear prediction of integers, in modular arithmetic.
#pragma once

#include "codec/simd/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// From the three rows above, halfway between a constant and a quadratic continuation: differences
// of rows grow towards the end of a spectrum, but less than a smooth field's would.
template <class Int>
Int continue_rows(const Int* q, std::size_t row_length) {
  using U = std::make_unsigned_t<Int>;
  const auto one = static_cast<U>(q[-static_cast<std::ptrdiff_t>(row_length)]);
  const auto two = static_cast<U>(q[-2 * static_cast<std::ptrdiff_t>(row_length)]);
  const auto three = static_cast<U>(q[-3 * static_cast<std::ptrdiff_t>(row_length)]);
  return static_cast<Int>(2 * one - two + static_cast<U>(static_cast<Int>(three - two) >> 1));
}

template <class Int>
[[gnu::always_inline]] inline Block<std::make_unsigned_t<Int>> continue_rows_of_block(
    const Int* q, std::size_t row_length) {
  using B = Block<std::make_unsigned_t<Int>>;
  const B one = B::load(q - row_length);
  const B two = B::load(q - 2 * row_length);
  const B three = B::load(q - 3 * row_length);
  return (three - two).halved() + ((one - two) + one);
}

template <class Int>
Int predict_one(const Int* q, Predictor predictor, std::size_t row_length) {
  using U = std::make_unsigned_t<Int>;
  switch (predictor) {
    case Predictor::none:
      return 0;
    case Predictor::previous:
      return q[-1];
    case Predictor::second:
      return static_cast<Int>(2 * static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    case Predictor::row: {
      const Int* above = q - row_length;
      return static_cast<Int>(static_cast<U>(q[-1]) + static_cast<U>(above[0]) -
                              static_cast<U>(above[-1]));
    }
    case Predictor::rows:
      return static_cast<Int>(static_cast<U>(q[-1]) + static_cast<U>(continue_rows(q, row_length)) -
                              static_cast<U>(continue_rows(q - 1, row_length)));
  }
  return 0;
}

// An exception's integer is its own prediction, so that it leaves no residual.
template <class T>
void predict_exceptions(Tile<T>& tile, Predictor predictor, std::size_t row_length) {
  if (!tile.any_exceptions) return;
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    for_each_exception(tile.exceptions[b], [&](std::size_t i) {
      auto* q = tile.q + b * block_values + i;
      *q = predict_one(q, predictor, row_length);
    });
  }
}

// Calls run with the predictor as a constant.
template <class Run>
auto with_predictor(Predictor predictor, Run run) {
  switch (predictor) {
    case Predictor::none:
      return run(std::integral_constant<Predictor, Predictor::none>{});
    case Predictor::previous:
      return run(std::integral_constant<Predictor, Predictor::previous>{});
    case Predictor::second:
      return run(std::integral_constant<Predictor, Predictor::second>{});
    case Predictor::rows:
      return run(std::integral_constant<Predictor, Predictor::rows>{});
    default:
      return run(std::integral_constant<Predictor, Predictor::row>{});
  }
}

// What the first differences are taken of: the integers less what the rows above say of them.
template <Predictor predictor, class Int>
std::make_unsigned_t<Int> over_rows(const Int* q, std::size_t row_length) {
  using U = std::make_unsigned_t<Int>;
  const auto here = static_cast<U>(*q);
  if constexpr (predictor == Predictor::row) return here - static_cast<U>(*(q - row_length));
  if constexpr (predictor == Predictor::rows) {
    return here - static_cast<U>(continue_rows(q, row_length));
  }
  return here;
}

// Folded residuals block by block.
template <Predictor predictor, class Int>
class Residuals {
 public:
  using U = std::make_unsigned_t<Int>;
  using B = Block<U>;

  // q is where the first block begins.
  Residuals(const Int* q, std::size_t row_length)
      : row_length_(row_length), before_(B::fill(over_rows<predictor>(q - 1, row_length))) {
    if constexpr (predictor == Predictor::second) {
      slope_ = B::fill(static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    }
  }

  [[gnu::always_inline]] B next(const Int* q) {
    B here = B::load(q);
    if constexpr (predictor == Predictor::row) here = here - B::load(q - row_length_);
    if constexpr (predictor == Predictor::rows) {
      here = here - continue_rows_of_block(q, row_length_);
    }
    if constexpr (predictor != Predictor::none) here = difference(here, before_);
    if constexpr (predictor == Predictor::second) here = difference(here, slope_);
    return here.folded();
  }

 private:
  [[gnu::always_inline]] static B difference(B here, B& before) {
    const B result = here - here.preceded_by(before);
    before = here;
    return result;
  }

  std::size_t row_length_;
  B before_;
  B slope_;
};

// Of a tile; lanes behind its end are zero.
template <class T>
void predict_tile(const Tile<T>& tile, Predictor predictor, std::size_t row_length,
                  typename Lane<T>::Unsigned* residuals) {
  with_predictor(predictor, [&](auto constant) {
    Residuals<constant.value, typename Lane<T>::Int> next(tile.q, row_length);
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      next.next(tile.q + b * block_values).store(residuals + b * block_values);
    }
  });
  std::fill(residuals + tile.count, residuals + tile_values, typename Lane<T>::Unsigned{0});
}

// Undoes prediction block by block, from residuals in order.
template <Predictor predictor, class Int>
class Restorer {
 public:
  using U = std::make_unsigned_t<Int>;
  using B = Block<U>;

  // q is where the first block will go.
  Restorer(const Int* q, std::size_t row_length)
      : row_length_(row_length), carry_(B::fill(over_rows<predictor>(q - 1, row_length))) {
    if constexpr (predictor == Predictor::second) {
      slope_ = B::fill(static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    }
  }

  // Needs row_length >= 16 where rows are used.
  [[gnu::always_inline]] B next(B folded, Int* q) {
    B value = folded.unfolded();
    if constexpr (predictor == Predictor::second) value = sum(value, slope_);
    if constexpr (predictor != Predictor::none) value = sum(value, carry_);
    if constexpr (predictor == Predictor::row) value = value + B::load(q - row_length_);
    if constexpr (predictor == Predictor::rows) {
      value = value + continue_rows_of_block(q, row_length_);
    }
    value.store(q);
    return value;
  }

 private:
  [[gnu::always_inline]] static B sum(B value, B& carry) {
    const B within = value.running_sum();
    const B result = within + carry;
    carry = carry + within.last();  // shorter than from the result
    return result;
  }

  std::size_t row_length_;
  B carry_;
  B slope_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
