#include <algorithm>
#include <cmath>

#include "fields/fields.h"

namespace tightwire::fields {
namespace {

template <class T>
double range_of(std::span<const T> values) {
  const auto [low, high] = std::ranges::minmax(values);
  return low == high ? std::abs(static_cast<double>(low))
                     : static_cast<double>(high) - static_cast<double>(low);
}

}  // namespace

double value_range(const Field& field) {
  return field.type == codec::ElementType::float32 ? range_of(field.values<float>())
                                                   : range_of(field.values<double>());
}

}  // namespace tightwire::fields
