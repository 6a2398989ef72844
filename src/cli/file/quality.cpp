#include "cli/file/quality.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "codec/value_at.h"

namespace tightwire::cli {
namespace {

using codec::value_at;

template <class T>
Quality compare_values(std::span<const std::byte> original, std::span<const std::byte> decoded) {
  Quality quality;
  quality.smallest = std::numeric_limits<double>::infinity();
  quality.largest = -quality.smallest;
  double squares = 0;
  for (std::size_t i = 0; i < original.size() / sizeof(T); ++i) {
    const double x = value_at<T>(original, i);
    if (!std::isfinite(x)) {
      ++quality.special;
      const std::size_t at = i * sizeof(T);
      const bool same = std::memcmp(original.data() + at, decoded.data() + at, sizeof(T)) == 0;
      quality.special_changed += same ? 0 : 1;
      continue;
    }
    double error = std::abs(static_cast<double>(value_at<T>(decoded, i)) - x);
    if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
    ++quality.finite;
    quality.smallest = std::min(quality.smallest, x);
    quality.largest = std::max(quality.largest, x);
    quality.largest_error = std::max(quality.largest_error, error);
    squares += error * error;
  }
  if (quality.finite == 0) {
    quality.smallest = quality.largest = 0;
    return quality;
  }
  quality.root_mean_square_error = std::sqrt(squares / static_cast<double>(quality.finite));
  return quality;
}

template <class T>
std::vector<std::uint64_t> histogram_of(std::span<const std::byte> original,
                                        std::span<const std::byte> decoded, double limit,
                                        std::size_t bins) {
  std::vector<std::uint64_t> counts(bins);
  for (std::size_t i = 0; i < original.size() / sizeof(T); ++i) {
    const double x = value_at<T>(original, i);
    if (!std::isfinite(x)) continue;
    const double error = static_cast<double>(value_at<T>(decoded, i)) - x;
    if (std::isnan(error)) continue;
    const double place = (error / limit + 1) / 2 * static_cast<double>(bins);
    ++counts[static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)))];
  }
  return counts;
}

}  // namespace

double Quality::nrmse() const {
  return range() > 0 ? root_mean_square_error / range() : 0;
}

double Quality::psnr() const {
  return -20 * std::log10(nrmse());
}

Quality compare(codec::ElementType type, std::span<const std::byte> original,
                std::span<const std::byte> decoded) {
  return type == codec::ElementType::float32 ? compare_values<float>(original, decoded)
                                             : compare_values<double>(original, decoded);
}

std::vector<std::uint64_t> error_histogram(codec::ElementType type,
                                           std::span<const std::byte> original,
                                           std::span<const std::byte> decoded, double limit,
                                           std::size_t bins) {
  return type == codec::ElementType::float32 ? histogram_of<float>(original, decoded, limit, bins)
                                             : histogram_of<double>(original, decoded, limit, bins);
}

}  // namespace tightwire::cli
