#include "data.h"

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

namespace check {
namespace {

// Uniform in [-1, 1).
double uniform(std::uint64_t bits) {
  return static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
}

template <class T>
T special_value(std::uint64_t bits) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Limits = std::numeric_limits<T>;
  const auto payload = static_cast<Bits>((bits >> 8) | 1);
  constexpr auto quiet = std::bit_cast<Bits>(Limits::quiet_NaN());
  constexpr auto mantissa = static_cast<Bits>((Bits{1} << (Limits::digits - 1)) - 1);
  constexpr auto sign = static_cast<Bits>(Bits{1} << (sizeof(T) * 8 - 1));
  switch (bits % 8) {
    case 0:
      return std::bit_cast<T>(static_cast<Bits>(quiet | (payload & mantissa)));
    case 1:
      return std::bit_cast<T>(static_cast<Bits>(quiet | sign | (payload & mantissa)));
    case 2:
      return Limits::infinity();
    case 3:
      return -Limits::infinity();
    case 4:
      return static_cast<T>(-0.0);
    case 5:
      return std::bit_cast<T>(static_cast<Bits>(payload & mantissa));  // subnormal
    case 6:
      return std::bit_cast<T>(static_cast<Bits>(sign | (payload & mantissa)));
    default:
      return Limits::min();
  }
}

template <class T>
T value_at(Pattern pattern, std::uint64_t seed, int rank, std::size_t index) {
  const std::uint64_t bits = random_bits(seed, rank, index);
  const auto x = static_cast<double>(index);
  const double smooth = std::sin(0.003 * x + rank) * (1 + 0.1 * rank) + 0.2 * std::cos(0.0007 * x);
  switch (pattern) {
    case Pattern::smooth:
      return static_cast<T>(smooth);
    case Pattern::noise:
      return static_cast<T>(uniform(bits));
    case Pattern::alike:
      return static_cast<T>(uniform(random_bits(seed, 0, index)));
    case Pattern::constant:
      return static_cast<T>(0.7 + 0.1 * rank);
    case Pattern::zero:
      return 0;
    case Pattern::sparse:
      return static_cast<T>(bits % 97 == 0 ? 1000 * uniform(bits) : 0.0);
    case Pattern::ties:
      return static_cast<T>(1e-4 * static_cast<double>(2 * static_cast<int>(bits % 2000) - 1999));
    case Pattern::cancelling: {
      const double base = 1000 * uniform(random_bits(seed, rank / 2, index));
      return static_cast<T>(rank % 2 == 0 ? base : -base + 1e-3 * uniform(bits));
    }
    case Pattern::large:
      return static_cast<T>(1e7 * uniform(bits));
    case Pattern::wide: {
      const double magnitude = std::pow(10.0, 30 * uniform(bits));
      return static_cast<T>(bits % 2 == 0 ? magnitude : -magnitude);
    }
    case Pattern::special:
      return bits % 61 == 0 ? special_value<T>(bits / 61) : static_cast<T>(smooth);
    case Pattern::all_special:
      return special_value<T>(bits);
    case Pattern::overflow:
      return static_cast<T>(uniform(bits) * static_cast<double>(std::numeric_limits<T>::max()));
  }
  return 0;
}

}  // namespace

std::string_view name_of(Pattern pattern) {
  constexpr std::string_view names[] = {"smooth",  "noise",       "alike",      "constant", "zero",
                                        "sparse",  "ties",        "cancelling", "large",    "wide",
                                        "special", "all-special", "overflow"};
  return names[static_cast<std::size_t>(pattern)];
}

// SplitMix64's finalizer over a counter (Steele, Lea, Flood 2014).
std::uint64_t random_bits(std::uint64_t seed, int rank, std::size_t index) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15 +
                    static_cast<std::uint64_t>(rank + 1) * 0xD1B54A32D192ED03 +
                    index * 0x8CB92BA72F3D8DD7;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

template <class T>
void fill(Pattern pattern, std::uint64_t seed, int rank, std::size_t first, std::span<T> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = value_at<T>(pattern, seed, rank, first + i);
  }
}

template void fill<float>(Pattern, std::uint64_t, int, std::size_t, std::span<float>);
template void fill<double>(Pattern, std::uint64_t, int, std::size_t, std::span<double>);

}  // namespace check
