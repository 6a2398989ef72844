// Linear prediction in modular arithmetic, and the folding of signs into the lowest bit.
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

template <class U>
U fold_sign(U residual) {
  return static_cast<U>((residual << 1) ^ (U{0} - (residual >> (sizeof(U) * 8 - 1))));
}

template <class U>
U unfold_sign(U folded) {
  return static_cast<U>((folded >> 1) ^ (U{0} - (folded & 1)));
}

// An exception's integer is its own prediction, so that it leaves no residual.
template <class T>
void predict_exceptions(Tile<T>& tile, Predictor predictor, std::size_t row_length) {
  if (!tile.any_exceptions) return;
  for (std::size_t i = 0; i < tile.count; ++i) {
    if ((tile.exceptions[i / block_values] >> (i % block_values) & 1) != 0) {
      tile.q[i] = predict_one(tile.q + i, predictor, row_length);
    }
  }
}

// Folded residuals of a tile; lanes behind its end are zero.
template <class T>
void predict_tile(const Tile<T>& tile, Predictor predictor, std::size_t row_length,
                  typename Lane<T>::Unsigned* residuals) {
  using U = typename Lane<T>::Unsigned;
  for (std::size_t i = 0; i < tile.count; ++i) {
    const auto predicted = static_cast<U>(predict_one(tile.q + i, predictor, row_length));
    residuals[i] = fold_sign(static_cast<U>(static_cast<U>(tile.q[i]) - predicted));
  }
  std::fill(residuals + tile.count, residuals + tile.blocks() * block_values, U{0});
}

template <class T>
void restore_tile(const typename Lane<T>::Unsigned* residuals, Predictor predictor,
                  std::size_t row_length, Tile<T>& tile) {
  using U = typename Lane<T>::Unsigned;
  for (std::size_t i = 0; i < tile.count; ++i) {
    const auto predicted = static_cast<U>(predict_one(tile.q + i, predictor, row_length));
    tile.q[i] = static_cast<typename Lane<T>::Int>(unfold_sign(residuals[i]) + predicted);
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
