#include "codec/bounded/records.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "codec/bounded/grid.h"
#include "codec/bounded/survey.h"
#include "codec/simd/kernels.h"

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

// Numbers of each binary exponent from 0 on, and how many of them are whole.
template <class T>
class WholeNumbers {
 public:
  explicit WholeNumbers(std::span<const std::byte> values) {
    for (std::size_t at = 0; at < values.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, values.data() + at, sizeof value);
      add(std::abs(value));
    }
  }

  // Whether there are more of them than chance makes: of numbers with n bits behind the binary
  // point, one in 2^n has zeros there.
  [[nodiscard]] bool on_purpose() const {
    constexpr double generous = 8;
    for (int exponent = 0; exponent < exponents; ++exponent) {
      const auto i = static_cast<std::size_t>(exponent);
      const double by_chance = std::ldexp(static_cast<double>(numbers_[i]), exponent - exponents);
      if (static_cast<double>(whole_[i]) > generous * by_chance) return true;
    }
    return false;
  }

 private:
  static constexpr int exponents = std::numeric_limits<T>::digits - 1;

  void add(T magnitude) {
    if (!(magnitude >= T{1} && magnitude < all_whole_from<T>)) return;
    const auto exponent = static_cast<std::size_t>(std::ilogb(magnitude));
    ++numbers_[exponent];
    if (std::trunc(magnitude) == magnitude) ++whole_[exponent];
  }

  std::array<std::size_t, exponents> numbers_{};
  std::array<std::size_t, exponents> whole_{};
};

template <class T>
Treatment treat(std::span<const std::byte> values, const Survey& survey, double error_bound) {
  constexpr int any = std::numeric_limits<int>::max();
  Treatment treatment{error_bound, survey.subnormals && !survey.tiny};
  if (survey.whole && (!survey.broken || WholeNumbers<T>(values).on_purpose())) {
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
