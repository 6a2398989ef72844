#include "codec/bounded/records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "codec/bounded/grid.h"
#include "codec/bounded/survey.h"
#include "codec/error_bound.h"
#include "codec/simd/kernels.h"
#include "codec/value_at.h"

namespace tightwire::codec::bounded {
namespace {

// The bound whose step is 1.
template <class T>
double bound_of_step_one() {
  double bound = 0.5;
  while (make_grid<T>(bound, 1).step < T{1}) {
    const double missing = 1 - static_cast<double>(make_grid<T>(bound, 1).step);
    bound = std::max(std::nextafter(bound, 1.0), bound + missing / 4);
  }
  return bound;
}

// With a step that is a power of two, multiples of it come back as they were.
template <class T>
double bound_for_power_of_two(double error_bound, int largest_exponent) {
  static const double of_one = bound_of_step_one<T>();
  const Grid<T> grid = make_grid<T>(error_bound, 1);
  if (!grid.usable) return error_bound;
  const int exponent = std::min(std::ilogb(grid.step), largest_exponent);
  return std::min(error_bound, std::ldexp(of_one, exponent));
}

// How many of the values have each binary exponent from 0 on.
template <class T>
class Exponents {
 public:
  // Of all values, or of one in `stride`.
  Exponents(std::span<const std::byte> values, std::size_t stride) : stride_(stride) {
    constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
    constexpr unsigned of_one = std::numeric_limits<T>::max_exponent - 1;
    constexpr BitsOf<T> magnitude_bits = ~BitsOf<T>{0} >> 1;
    for (std::size_t at = 0; at < values.size() / sizeof(T); at += stride) {
      const auto bits = value_at<BitsOf<T>>(values, at);
      const auto exponent = static_cast<unsigned>((bits & magnitude_bits) >> fraction_bits);
      if (exponent - of_one < counts_.size()) ++counts_[exponent - of_one];
    }
  }

  [[nodiscard]] bool explain(const Survey& survey) const {
    for (unsigned exponent = 0; exponent < counts_.size(); ++exponent) {
      const std::size_t numbers = counts_[exponent] * stride_;
      if (is_on_purpose<T>(survey.whole_of[exponent], numbers, exponent)) return false;
    }
    return true;
  }

 private:
  std::size_t stride_;
  std::array<std::size_t, std::numeric_limits<T>::digits - 1> counts_{};
};

// Whether there are more whole numbers than chance makes. A few values tell that of most fields;
// their distance is a number that no record has for its length.
template <class T>
bool are_on_purpose(const Survey& survey, std::span<const std::byte> values) {
  constexpr std::size_t distance = 61;
  if (survey.on_purpose) return true;
  if (Exponents<T>(values, distance).explain(survey)) return false;
  return !Exponents<T>(values, 1).explain(survey);
}

template <class T>
Treatment treat(std::span<const std::byte> values, const Survey& survey, double error_bound) {
  constexpr int any = std::numeric_limits<int>::max();
  Treatment treatment{error_bound, survey.subnormals && !survey.tiny};
  if (survey.whole && (!survey.broken || are_on_purpose<T>(survey, values))) {
    treatment.error_bound = bound_for_power_of_two<T>(error_bound, survey.broken ? 0 : any);
  }
  return treatment;
}

}  // namespace

Treatment treatment_of(ElementType type, std::span<const std::byte> values,
                       const Parameters& parameters) {
  const Survey survey = active_kernels().survey(type, values);
  return type == ElementType::float32 ? treat<float>(values, survey, parameters.error_bound)
                                      : treat<double>(values, survey, parameters.error_bound);
}

}  // namespace tightwire::codec::bounded
