#include "codec/bounded/records.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "codec/bounded/survey.h"
#include "codec/bounded/whole_grid.h"
#include "codec/error_bound.h"
#include "codec/fill/find.h"
#include "codec/simd/kernels.h"
#include "codec/value_at.h"

namespace tightwire::codec::bounded {
namespace {

// Whether there are more whole numbers than chance makes. So many numbers of their size that it may
// have made them are found in an eighth of most fields, and then no more are looked at.
template <class T>
class Chance {
 public:
  Chance(const Survey& survey, const Extent& others)
      : survey_(survey),
        first_(static_cast<T>(others.smallest)),
        last_(static_cast<T>(others.largest)) {
    for (unsigned exponent = 0; exponent < exponents; ++exponent) {
      if (survey.whole_of[exponent] > 0) open_[open_count_++] = exponent;
    }
  }

  [[nodiscard]] bool explains_all(std::span<const std::byte> values) {
    constexpr std::size_t piece_bytes = std::size_t{1} << 14;
    for (std::size_t at = 0; at < values.size() && open_count_ > 0; at += piece_bytes) {
      count(values.subspan(at, std::min(piece_bytes, values.size() - at)));
      const auto is_explained = [&](unsigned exponent) {
        return !is_on_purpose<T>(survey_.whole_of[exponent], numbers_[exponent], exponent);
      };
      const auto end = open_.begin() + static_cast<std::ptrdiff_t>(open_count_);
      const auto left = std::remove_if(open_.begin(), end, is_explained);
      open_count_ = static_cast<std::size_t>(left - open_.begin());
    }
    return open_count_ == 0;
  }

 private:
  static constexpr unsigned exponents = std::numeric_limits<T>::digits - 1;
  static constexpr unsigned all_from = exponents - 3;  // where chance makes an eighth and more
  static constexpr std::size_t most = std::size_t{1} << 48;

  // For more than a few it takes less time to count all at once, and where all must be whole a
  // broken one is enough.
  void count(std::span<const std::byte> piece) {
    constexpr std::size_t few = 2;
    if (open_count_ > few || open_[open_count_ - 1] >= all_from) return count_all(piece);
    for (std::size_t i = 0; i < open_count_; ++i) {
      numbers_[open_[i]] += numbers_of(std::ldexp(T{1}, static_cast<int>(open_[i])), piece);
    }
  }

  // From a power of two to the next. Counts as wide as the numbers are make vector code of it.
  [[nodiscard]] std::size_t numbers_of(T least, std::span<const std::byte> piece) const {
    BitsOf<T> numbers = 0;
    for (std::size_t at = 0; at < piece.size() / sizeof(T); ++at) {
      const T value = value_at<T>(piece, at);
      const T magnitude = std::abs(value);
      const bool is_one = (magnitude >= least) & (magnitude < 2 * least);
      numbers += (is_one & (value >= first_) & (value <= last_)) ? 1 : 0;
    }
    return numbers;
  }

  void count_all(std::span<const std::byte> piece) {
    constexpr unsigned of_one = std::numeric_limits<T>::max_exponent - 1;
    for (std::size_t at = 0; at < piece.size() / sizeof(T); ++at) {
      const T value = value_at<T>(piece, at);
      const auto bits = std::bit_cast<BitsOf<T>>(std::abs(value));
      const auto exponent = static_cast<unsigned>(bits >> exponents) - of_one;
      if (!(exponent < exponents && value >= first_ && value <= last_)) continue;
      const auto behind_point = (BitsOf<T>{1} << (exponents - exponent)) - 1;
      const bool decides = exponent >= all_from && (bits & behind_point) != 0;
      numbers_[exponent] += decides ? most : 1;
    }
  }

  const Survey& survey_;
  T first_;  // of those that are no fill values
  T last_;
  std::array<unsigned, exponents> open_{};  // exponents with more whole numbers than explained
  std::size_t open_count_ = 0;
  std::array<std::size_t, exponents> numbers_{};
};

// Whether subnormals and the numbers above them are a field that decays, which has about as many of
// each binary exponent. Small integers in bits are low subnormals alone, large ones are hardly ever
// low; a tiny measurement among them does not make a field.
bool reaches_subnormals(const SmallNumbers& small) {
  constexpr std::size_t few = 16;  // which say nothing of how they lie
  const std::size_t subnormals = small.subnormals();
  if (subnormals < few) return small.next >= 2 * subnormals;
  return small.next * 8 >= subnormals && small.low * 16 >= subnormals &&
         small.high * 16 >= subnormals;
}

// Whether tiny numbers are what a field decays to, on the way from larger ones. Integers in bits
// and floors are not.
template <class T>
bool reaches_tiny(const Survey& survey) {
  const bool any_larger = survey.largest >= double{least_not_above<T>} ||
                          survey.smallest <= -double{least_not_above<T>};
  return !any_larger || survey.small.above * 32 >= survey.small.tiny;
}

// What is too small to be a measurement.
struct Smallness {
  bool all_exact = false;  // integers in bits, of records that are one whole
  double exact_below = 0;
};

template <class T>
Smallness smallness(const Survey& survey) {
  const bool any_subnormal = survey.small.subnormals() > 0;
  if (survey.small.tiny == 0) return {any_subnormal, 0};
  const bool reached = reaches_tiny<T>(survey);
  const bool field = reached && reaches_subnormals(survey.small);
  return {any_subnormal && !field, reached ? 0 : double{least_not_tiny<T>}};
}

// With a step of 1 whole numbers are all exact; a finer one would be wasted on them alone.
template <class T>
FittedGrid grid_of_whole(const Survey& survey, const FillValues& fills, double error_bound) {
  return survey.broken ? mixed_grid<T>(error_bound, fills) : whole_grid<T>(error_bound, fills);
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

// Between the fill values that a sample shows; everything where what is too small to be a
// measurement might be beyond.
template <class T>
Extent beside_likely_fills(std::span<const std::byte> values, double error_bound) {
  constexpr std::size_t worth_a_sample = std::size_t{1} << 16;
  if (values.size() < worth_a_sample) return everything;
  const FillValues fills = fill_values_of(Sample::of<T>(values), error_bound);
  Extent between = everything;
  for (const double fill : fills.all()) {
    const auto value = static_cast<T>(fill);
    constexpr T infinity = std::numeric_limits<T>::infinity();
    if (fill < fills.others.smallest) {
      between.smallest = std::max<double>(between.smallest, std::nextafter(value, infinity));
    } else {
      between.largest = std::min<double>(between.largest, std::nextafter(value, -infinity));
    }
  }
  return between.smallest <= -1 && between.largest >= 1 ? between : everything;
}

// Whether all that is not in the extent is a fill value, and nothing else is.
bool leaves_out(const Extent& extent, const FillValues& fills) {
  const auto holds = [&](double value) {
    return value >= extent.smallest && value <= extent.largest;
  };
  return holds(fills.others.smallest) && holds(fills.others.largest) &&
         std::ranges::none_of(fills.all(), holds);
}

// Zeros that are fill values keep their sign.
template <class T>
double least_beside(const FillValues& fills) {
  return fills.nearest_to(0) == 0 ? double{std::numeric_limits<T>::min()} : 0;
}

template <class T>
FittedGrid treat(ElementType type, std::span<const std::byte> values, double error_bound) {
  const auto survey_of = active_kernels().survey;
  const Extent likely = beside_likely_fills<T>(values, error_bound);
  Survey survey = survey_of(type, values, likely);
  const Smallness small = smallness<T>(survey);
  if (small.all_exact) return {};
  const FillValues fills = fill_values<T>(values, survey, error_bound);
  // A fill value is exact without being on the grid.
  const bool saw_none = !survey.whole && std::isinf(likely.smallest) && std::isinf(likely.largest);
  if (!saw_none && !leaves_out(likely, fills)) survey = survey_of(type, values, fills.others);
  const bool whole = survey.whole && (!survey.broken || survey.on_purpose ||
                                      !Chance<T>(survey, fills.others).explains_all(values));
  FittedGrid grid = whole ? grid_of_whole<T>(survey, fills, error_bound)
                          : fit_grid<T>(error_bound, fills, Sample::of<T>(values));
  // Among integers in bits 0 is one, and from another origin no multiple of the step.
  if (small.exact_below > 0 && grid.origin != 0) return {};
  grid.use.exact_below = std::max(small.exact_below, least_beside<T>(fills));
  return grid;
}

}  // namespace

FittedGrid grid_for(ElementType type, std::span<const std::byte> values, double error_bound) {
  return type == ElementType::float32 ? treat<float>(type, values, error_bound)
                                      : treat<double>(type, values, error_bound);
}

}  // namespace tightwire::codec::bounded
