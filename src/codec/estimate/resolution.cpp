#include "codec/estimate/resolution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codec/float_environment.h"
#include "codec/value_at.h"

namespace tightwire::codec {
namespace {

template <class T>
bool is_below(std::span<const std::byte> values, double error_bound) {
  constexpr std::size_t most = 64;
  // The nearest other number is at least so far away, as a part of the number.
  constexpr double part = std::numeric_limits<T>::epsilon() / 2;
  const std::size_t count = values.size() / sizeof(T);
  const std::size_t stride = std::max<std::size_t>(1, count / most);
  bool any = false;
  for (std::size_t at = 0; at < count; at += stride) {
    const T value = value_at<T>(values, at);
    if (value == 0 || !std::isfinite(value)) continue;
    const double magnitude = std::abs(static_cast<double>(value));
    if (magnitude * part <= error_bound) return false;
    any = true;
  }
  return any;
}

}  // namespace

bool is_below_resolution(ElementType type, std::span<const std::byte> values, double error_bound) {
  const FloatEnvironment environment;
  return type == ElementType::float32 ? is_below<float>(values, error_bound)
                                      : is_below<double>(values, error_bound);
}

}  // namespace tightwire::codec
