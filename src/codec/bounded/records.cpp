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

// How many of the values have a binary exponent. Counts as wide as the numbers are make vector code
// of it.
template <class T>
std::size_t numbers_of(unsigned exponent, std::span<const std::byte> values, const Extent& others) {
  const T least = std::ldexp(T{1}, static_cast<int>(exponent));
  const auto first = static_cast<T>(others.smallest);
  const auto last = static_cast<T>(others.largest);
  BitsOf<T> count = 0;
  for (std::size_t at = 0; at < values.size() / sizeof(T); ++at) {
    const T value = value_at<T>(values, at);
    const T magnitude = std::abs(value);
    const bool is_one = (magnitude >= least) & (magnitude < 2 * least);
    count += is_one & (value >= first) & (value <= last) ? 1 : 0;
  }
  return count;
}

// Whether there are more whole numbers than chance makes. So many numbers that it may have made
// them are found in an eighth of most fields, and then no more are looked at.
template <class T>
bool are_on_purpose(const Survey& survey, std::span<const std::byte> values, const Extent& others) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 14;
  std::array<std::size_t, std::numeric_limits<T>::digits - 1> numbers{};
  bool on_purpose = true;
  for (std::size_t at = 0; at < values.size() && on_purpose; at += piece_bytes) {
    const auto piece = values.subspan(at, std::min(piece_bytes, values.size() - at));
    on_purpose = false;
    for (unsigned exponent = 0; exponent < numbers.size(); ++exponent) {
      const std::size_t whole = survey.whole_of[exponent];
      if (!is_on_purpose<T>(whole, numbers[exponent], exponent)) continue;
      numbers[exponent] += numbers_of<T>(exponent, piece, others);
      on_purpose |= is_on_purpose<T>(whole, numbers[exponent], exponent);
    }
  }
  return on_purpose;
}

// How many numbers there are of each kind that tells a field that decays from integers in bits.
template <class T>
struct Decay {
  // Numbers next to the subnormals, and those that a field has on its way to tiny ones.
  static constexpr T least_not_next = sizeof(T) == 4 ? T(0x1p-100) : T(0x1p-960);
  static constexpr T least_not_above = sizeof(T) == 4 ? T(0x1p-74) : T(0x1p-256);
  static constexpr T least_normal = std::numeric_limits<T>::min();
  static constexpr T middle =
      std::bit_cast<T>(BitsOf<T>{1} << ((std::numeric_limits<T>::digits - 1) / 2));

  std::size_t low = 0;   // subnormals of less than half of their digits
  std::size_t high = 0;  // others
  std::size_t next = 0;
  std::size_t tiny = 0;
  std::size_t above = 0;
  std::size_t larger = 0;

  explicit Decay(std::span<const std::byte> values) {
    for (std::size_t at = 0; at < values.size(); at += block_bytes) {
      count(values.subspan(at, std::min(block_bytes, values.size() - at)));
    }
  }

  // Whether subnormals and the numbers above them are a field that decays, which has about as many
  // of each binary exponent. Small integers in bits are low subnormals alone, large ones are hardly
  // ever low; a tiny measurement among them does not make a field.
  [[nodiscard]] bool reaches_subnormals() const {
    constexpr std::size_t few = 16;  // which say nothing of how they lie
    const std::size_t subnormals = low + high;
    if (subnormals < few) return next >= 2 * subnormals;
    return next * 8 >= subnormals && low * 16 >= subnormals && high * 16 >= subnormals;
  }

  // Whether tiny numbers are what a field decays to, on the way from larger ones. Integers in bits
  // and floors are not.
  [[nodiscard]] bool reaches_tiny() const { return larger == 0 || above * 32 >= tiny; }

 private:
  static constexpr std::size_t block_bytes = std::size_t{1} << 16;

  // Counts as wide as the numbers are make vector code of it.
  void count(std::span<const std::byte> block) {
    BitsOf<T> zero = 0;
    std::array<BitsOf<T>, 5> below{};
    BitsOf<T> not_above = 0;
    for (std::size_t at = 0; at < block.size() / sizeof(T); ++at) {
      const T magnitude = std::abs(value_at<T>(block, at));
      zero += magnitude == 0 ? 1 : 0;
      below[0] += magnitude < middle ? 1 : 0;
      below[1] += magnitude < least_normal ? 1 : 0;
      below[2] += magnitude < least_not_next ? 1 : 0;
      below[3] += magnitude < least_not_tiny<T> ? 1 : 0;
      below[4] += magnitude < least_not_above ? 1 : 0;
      not_above += magnitude >= least_not_above ? 1 : 0;
    }
    low += below[0] - zero;
    high += below[1] - below[0];
    next += below[2] - below[1];
    tiny += below[3] - below[1];
    above += below[4] - below[3];
    larger += not_above;
  }
};

// What is too small to be a measurement.
struct Smallness {
  bool all_exact = false;  // integers in bits, of records that are one whole
  double exact_below = 0;
};

template <class T>
Smallness smallness(const Survey& survey, std::span<const std::byte> values) {
  if (!survey.tiny) return {survey.subnormals, 0};
  const Decay<T> decay(values);
  const bool reached = decay.reaches_tiny();
  const bool field = reached && decay.reaches_subnormals();
  return {survey.subnormals && !field, reached ? 0 : double{least_not_tiny<T>}};
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

// Zeros that are fill values keep their sign.
template <class T>
double least_beside(const FillValues& fills) {
  return fills.nearest_to(0) == 0 ? double{std::numeric_limits<T>::min()} : 0;
}

template <class T>
FittedGrid treat(ElementType type, std::span<const std::byte> values, double error_bound) {
  const auto survey_of = active_kernels().survey;
  Survey survey = survey_of(type, values, everything);
  const Smallness small = smallness<T>(survey, values);
  if (small.all_exact) return {};
  const FillValues fills = fill_values<T>(values, survey, error_bound);
  // A fill value is exact without being on the grid.
  if (survey.whole && fills.count != 0) survey = survey_of(type, values, fills.others);
  const bool whole = survey.whole && (!survey.broken || survey.on_purpose ||
                                      are_on_purpose<T>(survey, values, fills.others));
  FittedGrid grid = whole ? grid_of_whole<T>(survey, fills, error_bound)
                          : fit_grid<T>(error_bound, fills, Sample::of<T>(values));
  grid.use.exact_below = std::max(small.exact_below, least_beside<T>(fills));
  return grid;
}

}  // namespace

FittedGrid grid_for(ElementType type, std::span<const std::byte> values, double error_bound) {
  return type == ElementType::float32 ? treat<float>(type, values, error_bound)
                                      : treat<double>(type, values, error_bound);
}

}  // namespace tightwire::codec::bounded
