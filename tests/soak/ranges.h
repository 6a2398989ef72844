// The range that relative bounds are a part of, by the rule of fill values.
#pragma once

#include "../codec/promise.h"
#include "codec/estimate/value_range.h"

namespace tightwire::soak {

// What is broken; nullptr if nothing is, or if rounding decides what the rule says.
template <class T>
[[nodiscard]] const char* broken_range(std::span<const T> values) {
  constexpr auto type = sizeof(T) == 4 ? codec::ElementType::float32 : codec::ElementType::float64;
  constexpr long double margin = 1e-9L;
  const auto expected = codec::FillRule<T>(values, 0, 1 + margin).range();
  if (codec::FillRule<T>(values, 0, 1 - margin).range() != expected) return nullptr;
  const codec::ValueRange range = codec::value_range(type, std::as_bytes(values));
  const bool any = std::any_of(values.begin(), values.end(), [](T v) { return std::isfinite(v); });
  if (range.any != any) return "there is a range where there are numbers";
  if (!any) return nullptr;
  // Of two choices that are as good, either.
  const bool same = range.width() == static_cast<double>(expected.second) - expected.first;
  return same ? nullptr : "fill values do not count for the range, and nothing else is left out";
}

}  // namespace tightwire::soak
