#include "codec/fill/find.h"

#include <algorithm>
#include <cmath>

#include "codec/float_environment.h"
#include "codec/simd/kernels.h"
#include "codec/value_at.h"

namespace tightwire::codec {
namespace {

bool cannot_be_fill(const Tails& tails, double width) {
  return (fill_apart + 1) * tails.least_width() >= width;
}

// Those need not be looked at again.
Seen seen_by(const Tails& tails) {
  Seen seen{{-tails.low().last(), tails.high().last()}};
  for (std::size_t i = 0; i < most_fills_a_side; ++i) {
    if (tails.high().repeats(i)) seen.add(tails.high().value(i));
    if (tails.low().repeats(i)) seen.add(-tails.low().value(i));
  }
  return seen;
}

template <class T>
void add(std::span<const std::byte> values, Tails& tails) {
  for (std::size_t i = 0; i < values.size() / sizeof(T); ++i) {
    const T value = value_at<T>(values, i);
    if (std::isfinite(value)) tails.add(static_cast<double>(value));
  }
}

// Until there can be no fill values: others are too wide for a part of the whole width.
template <class T>
bool finds_none(std::span<const std::byte> values, double width, Tails& tails) {
  constexpr ElementType type = sizeof(T) == 4 ? ElementType::float32 : ElementType::float64;
  const auto find_unseen = active_kernels().find_unseen;
  for (std::size_t at = 0;; at += seen_block) {
    at = find_unseen(type, values, at, seen_by(tails));
    if (at == values.size()) return false;
    const std::size_t size = std::min(seen_block, values.size() - at);
    add<T>(values.subspan(at, size), tails);
    if (cannot_be_fill(tails, width)) return true;
    if (size < seen_block) return false;
  }
}

void add(const Sample& sample, Tails& tails) {
  for (const double value : sample.values()) tails.add(value);
}

}  // namespace

FillValues fill_values_of(const Sample& sample, double error_bound) {
  Tails tails;
  add(sample, tails);
  return tails.fill_values(error_bound);
}

template <class T>
FillValues find_fill_values(std::span<const std::byte> values, const Extent& finite,
                            double error_bound, Tails some) {
  FillValues none;
  none.others = finite;
  add(Sample::of<T>(values), some);
  const bool near = !(finite.width() > 2 * fill_apart * error_bound);
  if (near || cannot_be_fill(some, finite.width())) return none;
  some.forget_times();
  if (finds_none<T>(values, finite.width(), some)) return none;
  return some.fill_values(error_bound);
}

Extent finite_extent(ElementType type, std::span<const std::byte> values) {
  const FloatEnvironment environment;
  return active_kernels().finite_extent(type, values);
}

template <class T>
Extent finite_extent(std::span<const std::byte> values) {
  return finite_extent(sizeof(T) == 4 ? ElementType::float32 : ElementType::float64, values);
}

#define TIGHTWIRE_INSTANTIATE(T)                                                             \
  template FillValues find_fill_values<T>(std::span<const std::byte>, const Extent&, double, \
                                          Tails);                                            \
  template Extent finite_extent<T>(std::span<const std::byte>);
TIGHTWIRE_INSTANTIATE(float)
TIGHTWIRE_INSTANTIATE(double)
#undef TIGHTWIRE_INSTANTIATE

}  // namespace tightwire::codec
