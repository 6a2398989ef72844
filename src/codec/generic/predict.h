// Linear prediction of integers, in modular arithmetic.
#pragma once

#include "codec/generic/tile.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

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
  }
  return 0;
}

// An exception's integer is its own prediction, so that it leaves no residual.
template <class T>
void predict_exceptions(Tile<T>& tile, Predictor predictor, std::size_t row_length) {
  if (!tile.any_exceptions) return;
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    for (unsigned rest = tile.exceptions[b]; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(rest));
      auto* q = tile.q + b * block_values + i;
      *q = predict_one(q, predictor, row_length);
    }
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
    default:
      return run(std::integral_constant<Predictor, Predictor::row>{});
  }
}

template <Predictor predictor, class Int>
Block<std::make_unsigned_t<Int>> residual_block(const Int* q, std::size_t row_length) {
  using B = Block<std::make_unsigned_t<Int>>;
  const B here = B::load(q);
  if constexpr (predictor == Predictor::none) {
    return here.folded();
  } else if constexpr (predictor == Predictor::previous) {
    return (here - B::load(q - 1)).folded();
  } else if constexpr (predictor == Predictor::second) {
    const B before = B::load(q - 1);
    return ((here - before) - (before - B::load(q - 2))).folded();
  } else {
    const Int* above = q - row_length;
    return ((here - B::load(above)) - (B::load(q - 1) - B::load(above - 1))).folded();
  }
}

// Folded residuals of a tile; lanes behind its end are zero.
template <class T>
void predict_tile(const Tile<T>& tile, Predictor predictor, std::size_t row_length,
                  typename Lane<T>::Unsigned* residuals) {
  with_predictor(predictor, [&](auto constant) {
    for (std::size_t b = 0; b < tile.blocks(); ++b) {
      residual_block<constant.value>(tile.q + b * block_values, row_length)
          .store(residuals + b * block_values);
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
  Restorer(const Int* q, std::size_t row_length) : row_length_(row_length) {
    if constexpr (predictor == Predictor::previous) carry_ = B::fill(static_cast<U>(q[-1]));
    if constexpr (predictor == Predictor::second) {
      carry_ = B::fill(static_cast<U>(q[-1]));
      slope_ = B::fill(static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    }
    if constexpr (predictor == Predictor::row) {
      const Int* above = q - row_length;
      carry_ = B::fill(static_cast<U>(q[-1]) - static_cast<U>(above[-1]));
    }
  }

  // Needs row_length >= 16.
  [[gnu::always_inline]] B next(B folded, Int* q) {
    B value = folded.unfolded();
    if constexpr (predictor == Predictor::second) {
      const B sum = value.running_sum();
      value = sum + slope_;
      slope_ = slope_ + sum.last();  // shorter than from value.last()
    }
    if constexpr (predictor != Predictor::none) {
      const B sum = value.running_sum();
      value = sum + carry_;
      carry_ = carry_ + sum.last();
    }
    if constexpr (predictor == Predictor::row) value = value + B::load(q - row_length_);
    value.store(q);
    return value;
  }

 private:
  std::size_t row_length_;
  B carry_;
  B slope_;
};

// Rows shorter than a block.
template <class Int>
void restore_one_by_one(const std::make_unsigned_t<Int>* residuals, std::size_t count,
                        Predictor predictor, std::size_t row_length, Int* q) {
  using U = std::make_unsigned_t<Int>;
  for (std::size_t i = 0; i < count; ++i) {
    q[i] = static_cast<Int>(unfold_sign(residuals[i]) +
                            static_cast<U>(predict_one(q + i, predictor, row_length)));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
