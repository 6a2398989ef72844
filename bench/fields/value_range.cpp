#include <algorithm>
#include <cmath>
#include <iterator>

#include "fields/fields.h"

namespace tightwire::fields {
namespace {

// Fewer equal values than that may be chance; no field has more kinds of fill than a few.
constexpr std::size_t least_repeats = 8;
constexpr int most_fills = 4;

// Sorts the finite values of the field and takes fills off both ends.
template <class T>
class Extremes {
 public:
  explicit Extremes(std::span<const T> values) {
    std::ranges::copy_if(values, std::back_inserter(sorted_), [](T x) { return std::isfinite(x); });
    std::ranges::sort(sorted_);
    rest_ = sorted_;
    for (int i = 0; i < most_fills && (drop_largest() || drop_smallest()); ++i) {
    }
  }

  [[nodiscard]] double range() const {
    if (rest_.empty()) return 0;
    const double low = rest_.front();
    const double high = rest_.back();
    return low == high ? std::abs(low) : high - low;
  }

 private:
  bool drop_largest() {
    if (rest_.empty()) return false;
    const auto first = std::lower_bound(rest_.begin(), rest_.end(), rest_.back());
    const auto others = rest_.first(static_cast<std::size_t>(first - rest_.begin()));
    if (!is_fill(rest_.size() - others.size(), others, rest_.back())) return false;
    rest_ = others;
    return true;
  }

  bool drop_smallest() {
    if (rest_.empty()) return false;
    const auto last = std::upper_bound(rest_.begin(), rest_.end(), rest_.front());
    const auto others = rest_.subspan(static_cast<std::size_t>(last - rest_.begin()));
    if (!is_fill(rest_.size() - others.size(), others, rest_.front())) return false;
    rest_ = others;
    return true;
  }

  static bool is_fill(std::size_t repeats, std::span<const T> others, double value) {
    if (repeats < least_repeats || others.empty()) return false;
    const double low = others.front();
    const double high = others.back();
    const double away = std::max(value - high, low - value);
    return high > low && away > high - low;
  }

  std::vector<T> sorted_;
  std::span<const T> rest_;
};

}  // namespace

double value_range(const Field& field) {
  switch (field.type) {
    case codec::ElementType::float32:
      return Extremes(field.values<float>()).range();
    case codec::ElementType::float64:
      return Extremes(field.values<double>()).range();
    default:
      return 1;
  }
}

}  // namespace tightwire::fields
