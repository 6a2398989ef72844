// What earlier messages say of the next: the polynomial in time through the last ones, continued.
#pragma once

#include "codec/simd/generic/transforms.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class V>
using BitsOfElement = std::make_unsigned_t<IntegerOf<V>>;

// Ordered bits of a value, and back.
template <class V>
[[gnu::always_inline]] inline BitsOfElement<V> in_order(BitsOfElement<V> bits) {
  if constexpr (!std::is_floating_point_v<V>) return bits;
  return static_cast<BitsOfElement<V>>(ordered(static_cast<IntegerOf<V>>(bits)));
}

constexpr std::int64_t binomial(std::size_t n, std::size_t k) {
  return k == 0
             ? 1
             : binomial(n - 1, k - 1) * static_cast<std::int64_t>(n) / static_cast<std::int64_t>(k);
}

// What is added to the last value are weighted steps in time, which are exact where little changes,
// and 0 where nothing does.
template <std::size_t order, class V>
[[gnu::always_inline]] inline V sum_of_steps(const std::byte* const* references, std::size_t at) {
  V sum = 0;
  V later = load<V>(references[0] + at);
#pragma GCC unroll most_references
  for (std::size_t k = 1; k < order; ++k) {  // unrolled at -O2, too: else values take no vectors
    const V earlier = load<V>(references[k] + at);
    const auto weight = static_cast<V>(binomial(order - 1, k));
    const V step = weight * (later - earlier);
    sum = k == 1 ? step : k % 2 == 0 ? sum - step : sum + step;
    later = earlier;
  }
  return sum;
}

// What the floating-point value at byte `at` is predicted to be. Where the arithmetic gives no
// number, or nothing changed (which would lose the sign of a zero), it is the last value, bit by
// bit.
template <std::size_t order, class V>
[[gnu::always_inline]] inline V continued(const std::byte* const* references, std::size_t at) {
  const V last = load<V>(references[0] + at);
  const V sum = sum_of_steps<order, V>(references, at);
  return std::abs(sum) > 0 ? last + sum : last;
}

// Its ordered bits.
template <std::size_t order, class V>
[[gnu::always_inline]] inline BitsOfElement<V> predicted(const std::byte* const* references,
                                                         std::size_t at) {
  return in_order<V>(std::bit_cast<BitsOfElement<V>>(continued<order, V>(references, at)));
}

// What predictions leave of values from byte `at` on. The rest overlaps nothing.
template <std::size_t order, class V>
void subtract_predicted(const std::byte* const* given, std::size_t at, std::size_t count,
                        const std::byte* values, std::byte* __restrict rest) {
  using Bits = BitsOfElement<V>;
  const std::byte* references[order];
  std::copy_n(given, order, references);
  for (std::size_t i = 0; i < count * sizeof(V); i += sizeof(V)) {
    const Bits here = in_order<V>(load<Bits>(values + i));
    store(static_cast<Bits>(here - predicted<order, V>(references, at + i)), rest + i);
  }
}

// The inverse, in place.
template <std::size_t order, class V>
void add_predicted(const std::byte* const* given, std::size_t at, std::size_t count,
                   std::byte* __restrict values) {
  using Bits = BitsOfElement<V>;
  const std::byte* references[order];
  std::copy_n(given, order, references);
  for (std::size_t i = 0; i < count * sizeof(V); i += sizeof(V)) {
    const Bits rest = load<Bits>(values + i);
    const auto here = static_cast<Bits>(rest + predicted<order, V>(references, at + i));
    store(in_order<V>(here), values + i);
  }
}

// Predictions of integers, in their arithmetic, which rounds nothing; of order 0 they are 0.
template <class V>
void predict_integers(const std::byte* const* references, std::size_t order, std::size_t at,
                      std::size_t count, BitsOfElement<V>* __restrict said) {
  using Bits = BitsOfElement<V>;
  using Wide = std::common_type_t<Bits, std::uint32_t>;
  std::fill_n(said, count, Bits{0});
  for (std::size_t k = 1; k <= order; ++k) {
    const std::byte* const from = references[k - 1] + at;
    const std::int64_t size = binomial(order, k);
    const auto weight = static_cast<Wide>(k % 2 == 1 ? size : -size);
    for (std::size_t i = 0; i < count; ++i) {
      said[i] = static_cast<Bits>(said[i] + weight * load<Bits>(from + i * sizeof(V)));
    }
  }
}

// Calls run with the order as a constant; false, and no call, of order 0.
template <class Run>
bool with_order(std::size_t order, Run run) {
  const auto run_if = [&]<std::size_t constant>(std::integral_constant<std::size_t, constant> it) {
    if (constant == order) run(it);
    return constant == order;
  };
  return [&]<std::size_t... number>(std::index_sequence<number...>) {
    return (run_if(std::integral_constant<std::size_t, number + 1>{}) || ...);
  }
  (std::make_index_sequence<most_references>{});
}

// Values number `first` to `first` + `count`, at most a tile, less what is predicted.
template <class V>
void subtract_prediction(const std::byte* const* references, std::size_t order, std::size_t first,
                         std::size_t count, const std::byte* values, std::byte* rest) {
  using Bits = BitsOfElement<V>;
  const std::size_t at = first * sizeof(V);
  if constexpr (std::is_floating_point_v<V>) {
    const bool done = with_order(order, [&](auto constant) {
      subtract_predicted<constant.value, V>(references, at, count, values, rest);
    });
    if (done) return;
  }
  Bits said[tile_values];
  predict_integers<V>(references, order, at, count, said);
  for (std::size_t i = 0; i < count; ++i) {
    const Bits here = in_order<V>(load<Bits>(values + i * sizeof(V)));
    store(static_cast<Bits>(here - said[i]), rest + i * sizeof(V));
  }
}

// The inverse, in place.
template <class V>
void add_prediction(const std::byte* const* references, std::size_t order, std::size_t first,
                    std::size_t count, std::byte* values) {
  using Bits = BitsOfElement<V>;
  const std::size_t at = first * sizeof(V);
  if constexpr (std::is_floating_point_v<V>) {
    const bool done = with_order(order, [&](auto constant) {
      add_predicted<constant.value, V>(references, at, count, values);
    });
    if (done) return;
  }
  Bits said[tile_values];
  predict_integers<V>(references, order, at, count, said);
  for (std::size_t i = 0; i < count; ++i) {
    const auto here = static_cast<Bits>(load<Bits>(values + i * sizeof(V)) + said[i]);
    store(in_order<V>(here), values + i * sizeof(V));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
