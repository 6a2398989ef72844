#include "codec/bounded/records.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "codec/bounded/survey.h"
#include "codec/error_bound.h"
#include "codec/fill/find.h"
#include "codec/simd/kernels.h"
#include "codec/value_at.h"

namespace tightwire::codec::bounded {
namespace {

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

// Whether subnormals and the tiny numbers above them are a field that decays, which has about as
// many of each binary exponent. Small integers in bits are low subnormals alone, large ones are
// hardly ever low; a tiny measurement among them does not make a field.
template <class T>
bool decays(std::span<const std::byte> values) {
  using Bits = BitsOf<T>;
  constexpr int fraction_bits = std::numeric_limits<T>::digits - 1;
  constexpr Bits magnitude_bits = ~Bits{0} >> 1;
  constexpr Bits middle = Bits{1} << (fraction_bits / 2);
  constexpr Bits least_normal = Bits{1} << fraction_bits;
  const Bits not_tiny = std::bit_cast<Bits>(least_not_tiny<T>);
  std::size_t low = 0;
  std::size_t high = 0;
  std::size_t tiny = 0;
  for (std::size_t at = 0; at < values.size() / sizeof(T); ++at) {
    const Bits bits = value_at<Bits>(values, at) & magnitude_bits;
    low += bits != 0 && bits < middle ? 1 : 0;
    high += bits >= middle && bits < least_normal ? 1 : 0;
    tiny += bits >= least_normal && bits < not_tiny ? 1 : 0;
  }
  constexpr std::size_t few = 16;  // which say nothing of how they lie
  const std::size_t subnormals = low + high;
  if (subnormals < few) return tiny >= 2 * subnormals;
  return tiny * 8 >= subnormals && low * 16 >= subnormals && high * 16 >= subnormals;
}

template <class T>
bool has_integers_in_bits(const Survey& survey, std::span<const std::byte> values) {
  return survey.subnormals && !(survey.tiny && decays<T>(values));
}

// With a step of 1 whole numbers are all exact; a finer one would be wasted on them alone.
template <class T>
FittedGrid grid_of_whole(const Survey& survey, const FillValues& fills, double error_bound) {
  constexpr int any = std::numeric_limits<int>::max();
  if (survey.broken) return power_of_two_grid<T>(error_bound, 0, fills);
  return power_of_two_grid<T>(std::max(error_bound, 0.5), any, fills);
}

constexpr Extent everything{-std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::infinity()};

template <class T>
FillValues fill_values(std::span<const std::byte> values, const Survey& survey,
                       double error_bound) {
  Extent extent{survey.smallest, survey.largest};
  if (!extent.finite()) extent = finite_extent<T>(values);
  return find_fill_values<T>(values, extent, error_bound, survey.some);
}

template <class T>
FittedGrid treat(ElementType type, std::span<const std::byte> values, double error_bound) {
  const auto survey_of = active_kernels().survey;
  Survey survey = survey_of(type, values, everything);
  if (has_integers_in_bits<T>(survey, values)) return {};
  const FillValues fills = fill_values<T>(values, survey, error_bound);
  // A fill value is exact without being on the grid.
  if (survey.whole && fills.count != 0) survey = survey_of(type, values, fills.others);
  const bool whole = survey.whole && (!survey.broken || are_on_purpose<T>(survey, values));
  return whole ? grid_of_whole<T>(survey, fills, error_bound)
               : fit_grid<T>(error_bound, fills, Sample::of<T>(values));
}

}  // namespace

FittedGrid grid_for(ElementType type, std::span<const std::byte> values, double error_bound) {
  return type == ElementType::float32 ? treat<float>(type, values, error_bound)
                                      : treat<double>(type, values, error_bound);
}

}  // namespace tightwire::codec::bounded
