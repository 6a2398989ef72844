// Linear prediction of integers, in modular arithmetic.
#pragma once

#include "codec/simd/generic/before.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// How a predictor looks up and back; what is left is predicted along values.
constexpr unsigned row_order_of(Predictor predictor) {
  if (predictor == Predictor::rows) return 3;
  return predictor == Predictor::row || predictor == Predictor::cube ? 1 : 0;
}
constexpr unsigned plane_order_of(Predictor predictor) {
  return predictor == Predictor::plane || predictor == Predictor::cube ? 1 : 0;
}
template <Predictor predictor>
inline constexpr bool looks_up = row_order_of(predictor) + plane_order_of(predictor) != 0;

// What rows and planes say of q[0].
template <Predictor predictor, class Int>
[[gnu::always_inline]] inline std::make_unsigned_t<Int> from_before(const Int* q, Distances apart) {
  using U = std::make_unsigned_t<Int>;
  return from_before<row_order_of(predictor), plane_order_of(predictor)>(
      reinterpret_cast<const U*>(q), apart);
}
template <Predictor predictor, class Int>
[[gnu::always_inline]] inline Block<std::make_unsigned_t<Int>> block_from_before(const Int* q,
                                                                                 Distances apart) {
  using U = std::make_unsigned_t<Int>;
  return block_from_before<row_order_of(predictor), plane_order_of(predictor)>(
      reinterpret_cast<const U*>(q), apart);
}

// What the first differences are taken of: the integers less that.
template <Predictor predictor, class Int>
std::make_unsigned_t<Int> over_before(const Int* q, Distances apart) {
  using U = std::make_unsigned_t<Int>;
  return static_cast<U>(*q) - from_before<predictor>(q, apart);
}

template <Predictor predictor, class Int>
Int predict_along(const Int* q, Distances apart) {
  using U = std::make_unsigned_t<Int>;
  return static_cast<Int>(from_before<predictor>(q, apart) +
                          static_cast<U>(over_before<predictor>(q - 1, apart)));
}

template <class Int>
Int predict_one(const Int* q, Predictor predictor, Distances apart) {
  using U = std::make_unsigned_t<Int>;
  switch (predictor) {
    case Predictor::none:
      return 0;
    case Predictor::previous:
      return q[-1];
    case Predictor::second:
      return static_cast<Int>(2 * static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    case Predictor::row:
      return predict_along<Predictor::row>(q, apart);
    case Predictor::rows:
      return predict_along<Predictor::rows>(q, apart);
    case Predictor::plane:
      return predict_along<Predictor::plane>(q, apart);
    case Predictor::cube:
      return predict_along<Predictor::cube>(q, apart);
  }
  return 0;
}

// An exception's integer is its own prediction, so that it leaves no residual.
template <class T>
void predict_exceptions(Tile<T>& tile, Predictor predictor, Distances apart) {
  if (!tile.any_exceptions) return;
  for (std::size_t b = 0; b < tile.blocks(); ++b) {
    for_each_exception(tile.exceptions[b], [&](std::size_t i) {
      auto* q = tile.q + b * block_values + i;
      *q = predict_one(q, predictor, apart);
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
    case Predictor::plane:
      return run(std::integral_constant<Predictor, Predictor::plane>{});
    case Predictor::cube:
      return run(std::integral_constant<Predictor, Predictor::cube>{});
    default:
      return run(std::integral_constant<Predictor, Predictor::row>{});
  }
}

// Folded residuals block by block.
template <Predictor predictor, class Int>
class Residuals {
 public:
  using U = std::make_unsigned_t<Int>;
  using B = Block<U>;

  // q is where the first block begins.
  Residuals(const Int* q, Distances apart)
      : apart_(apart), before_(B::fill(over_before<predictor>(q - 1, apart))) {
    if constexpr (predictor == Predictor::second) {
      slope_ = B::fill(static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    }
  }

  [[gnu::always_inline]] B next(const Int* q) {
    B here = B::load(q);
    if constexpr (looks_up<predictor>) here = here - block_from_before<predictor>(q, apart_);
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

  Distances apart_;
  B before_;
  B slope_;
};

// Of a tile; lanes behind its end are zero.
template <class T>
void predict_tile(const Tile<T>& tile, Predictor predictor, Distances apart,
                  typename Lane<T>::Unsigned* residuals) {
  with_predictor(predictor, [&](auto constant) {
    Residuals<constant.value, typename Lane<T>::Int> next(tile.q, apart);
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
  Restorer(const Int* q, Distances apart)
      : apart_(apart), carry_(B::fill(over_before<predictor>(q - 1, apart))) {
    if constexpr (predictor == Predictor::second) {
      slope_ = B::fill(static_cast<U>(q[-1]) - static_cast<U>(q[-2]));
    }
  }

  // Rows and planes that are used have at least 16 values.
  [[gnu::always_inline]] B next(B folded, Int* q) {
    B value = folded.unfolded();
    if constexpr (predictor == Predictor::second) value = sum(value, slope_);
    if constexpr (predictor != Predictor::none) value = sum(value, carry_);
    if constexpr (looks_up<predictor>) value = value + block_from_before<predictor>(q, apart_);
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

  Distances apart_;
  B carry_;
  B slope_;
};

}  // namespace tightwire::codec::TIGHTWIRE_ISA
