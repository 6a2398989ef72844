#include "codec/fill/sample.h"

#include <algorithm>
#include <cmath>

#include "codec/value_at.h"

namespace tightwire::codec {

template <class T>
Sample Sample::of(std::span<const std::byte> values) {
  const std::size_t count = values.size() / sizeof(T);
  const std::size_t wanted = std::min(most, count);
  Sample sample;
  for (std::size_t i = 0; i < wanted; ++i) {
    // One of each of equal parts, in step with no row: fractions of the golden ratio.
    const double turns = 0.6180339887498949 * static_cast<double>(i);
    const double place = static_cast<double>(i) + turns - std::floor(turns);
    const double at = place * static_cast<double>(count) / static_cast<double>(wanted);
    const T value = value_at<T>(values, std::min(static_cast<std::size_t>(at), count - 1));
    if (std::isfinite(value)) sample.values_[sample.size_++] = static_cast<double>(value);
  }
  return sample;
}

Extent Sample::extent() const {
  if (size_ == 0) return {};
  const auto [low, high] = std::minmax_element(values().begin(), values().end());
  return {*low, *high};
}

Sample Sample::inside(const Extent& extent) const {
  Sample result;
  for (const double value : values()) {
    if (value < extent.smallest || value > extent.largest) continue;
    result.values_[result.size_++] = value;
  }
  return result;
}

template Sample Sample::of<float>(std::span<const std::byte>);
template Sample Sample::of<double>(std::span<const std::byte>);

}  // namespace tightwire::codec
