#include "codec/estimate/value_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "codec/estimate/integers.h"
#include "codec/float_environment.h"

namespace tightwire::codec {
namespace {

// A range without its fill value is at most one in so many of the range with it.
constexpr double apart = 16;

// Plain loops over independent lanes, which the compiler turns into vector code.
template <class T>
ValueRange finite_range(std::span<const std::byte> bytes) {
  constexpr std::size_t lanes = 32;
  constexpr T limit = std::numeric_limits<T>::max();
  std::array<T, lanes> values{};
  std::array<T, lanes> low;
  std::array<T, lanes> high;
  low.fill(limit);
  high.fill(-limit);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof values) {
    const std::size_t size = std::min(sizeof values, bytes.size() - at);
    std::memcpy(values.data(), bytes.data() + at, size);
    // The last, shorter group keeps values of the one before, or repeats its own first.
    if (at == 0 && size < sizeof values) {
      std::fill(values.begin() + static_cast<std::ptrdiff_t>(size / sizeof(T)), values.end(),
                values[0]);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const bool finite = std::fabs(values[lane]) <= limit;
      const T upwards = finite ? values[lane] : limit;
      const T downwards = finite ? values[lane] : -limit;
      low[lane] = upwards < low[lane] ? upwards : low[lane];
      high[lane] = downwards > high[lane] ? downwards : high[lane];
    }
  }
  const T smallest = *std::min_element(low.begin(), low.end());
  const T largest = *std::max_element(high.begin(), high.end());
  return {static_cast<double>(smallest), static_cast<double>(largest), smallest <= largest};
}

// The width of what a sample has between the ends of the range.
template <class T>
double width_inside(std::span<const std::byte> bytes, const ValueRange& range) {
  constexpr std::size_t wanted = 1024;
  const std::size_t count = bytes.size() / sizeof(T);
  const std::size_t stride = std::max<std::size_t>(1, count / wanted);
  ValueRange inside{range.largest, range.smallest, true};
  for (std::size_t i = 0; i < count; i += stride) {
    const auto value = static_cast<double>(value_at<T>(bytes, i));
    if (!(value > range.smallest && value < range.largest)) continue;
    inside.smallest = std::min(inside.smallest, value);
    inside.largest = std::max(inside.largest, value);
  }
  return inside.width();
}

// One end of a range: how often its value stands there, and the next one inwards.
struct End {
  std::size_t times = 0;
  double next = 0;
};

// `side` is 1 for the largest value and -1 for the smallest.
template <class T>
End end_of(std::span<const std::byte> bytes, double value, double side) {
  End end{0, -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    const auto other = static_cast<double>(value_at<T>(bytes, i));
    if (!std::isfinite(other) || other * side > value * side) continue;
    if (other == value) {
      ++end.times;
    } else {
      end.next = std::max(end.next, other * side);
    }
  }
  end.next *= side;
  return end;
}

bool is_fill(const End& end, double width, double width_without) {
  return end.times >= 2 && width_without > 0 && width_without * apart <= width;
}

// Takes fill values off either end until there is none.
template <class T>
void leave_out_fill(std::span<const std::byte> bytes, ValueRange& range) {
  for (bool found = true; found && range.width() > 0;) {
    const End top = end_of<T>(bytes, range.largest, 1);
    const End bottom = end_of<T>(bytes, range.smallest, -1);
    const bool high = is_fill(top, range.width(), top.next - range.smallest);
    const bool low = !high && is_fill(bottom, range.width(), range.largest - bottom.next);
    if (high) range.largest = top.next;
    if (low) range.smallest = bottom.next;
    found = high || low;
  }
}

template <class T>
ValueRange range_of(std::span<const std::byte> bytes) {
  ValueRange range = finite_range<T>(bytes);
  range.inside = width_inside<T>(bytes, range);
  // Where other values are nearly as far apart, leaving out an end would not matter enough.
  if (range.inside * apart < range.width()) {
    leave_out_fill<T>(bytes, range);
    range.inside = width_inside<T>(bytes, range);
  }
  return range;
}

}  // namespace

ValueRange ValueRange::joined(const ValueRange& other) const {
  if (!other.any) return *this;
  if (!any) return other;
  const ValueRange both{std::min(smallest, other.smallest), std::max(largest, other.largest), true};
  const bool has_filler = constant() != other.constant();
  const ValueRange& varied = constant() ? other : *this;
  return has_filler && varied.width() * apart <= both.width() ? varied : both;
}

ValueRange value_range(ElementType type, std::span<const std::byte> values) {
  const FloatEnvironment environment;
  return type == ElementType::float32 ? range_of<float>(values) : range_of<double>(values);
}

}  // namespace tightwire::codec
