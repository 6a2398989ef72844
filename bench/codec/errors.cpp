#include "errors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "codec/error_bound.h"

namespace tightwire::bench {
namespace {

constexpr double bin_width = 2.0 / static_cast<double>(error_bins);
constexpr double infinite = std::numeric_limits<double>::infinity();

template <class T>
double over_bound(T original, T decoded, double bound) {
  const double error = std::abs(static_cast<double>(original) - static_cast<double>(decoded));
  const double part = std::isfinite(error) ? error / bound : infinite;
  // Division rounds; the verdict must not.
  const bool within = codec::within_bound(original, decoded, bound);
  return within ? part : std::max(part, std::nextafter(1.0, 2.0));
}

std::size_t bin_of(double error_over_bound) {
  const double bin = std::floor((error_over_bound + 1) / bin_width);
  return static_cast<std::size_t>(std::clamp(bin, 0.0, static_cast<double>(error_bins - 1)));
}

template <class T>
Errors errors_as(std::span<const T> original, std::span<const T> decoded, double bound) {
  Errors errors;
  double squares = 0;
  std::size_t finite = 0;
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (!std::isfinite(original[i])) {
      // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bits are to be the same
      const bool kept = std::memcmp(&original[i], &decoded[i], sizeof(T)) == 0;
      if (!kept) errors.largest_over_bound = infinite;
      continue;
    }
    const double part = over_bound(original[i], decoded[i], bound);
    errors.largest_over_bound = std::max(errors.largest_over_bound, part);
    const double error = static_cast<double>(decoded[i]) - static_cast<double>(original[i]);
    squares += error * error;
    ++finite;
    ++errors.histogram[std::isfinite(error) ? bin_of(error / bound) : 0];
  }
  if (finite > 0) errors.root_of_mean_squares = std::sqrt(squares / static_cast<double>(finite));
  return errors;
}

template <class T>
std::span<const T> as_values(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace

Errors errors_of(codec::ElementType type, std::span<const std::byte> original,
                 std::span<const std::byte> decoded, double bound) {
  return type == codec::ElementType::float32
             ? errors_as(as_values<float>(original), as_values<float>(decoded), bound)
             : errors_as(as_values<double>(original), as_values<double>(decoded), bound);
}

double begin_of_error_bin(std::size_t bin) {
  return -1 + bin_width * static_cast<double>(bin);
}

}  // namespace tightwire::bench
