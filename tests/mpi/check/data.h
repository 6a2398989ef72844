// Data that every rank can make for every other rank: a value depends on seed, rank and index
// alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace check {

enum class Pattern : std::uint8_t {
  smooth,
  noise,
  alike,  // noise, the same on all ranks: their errors add up instead of averaging out
  constant,
  zero,
  sparse,       // zeros and a few spikes
  ties,         // odd multiples of 1e-4, half-way between the grid points of that bound
  cancelling,   // neighbouring ranks all but cancel each other
  large,        // around 1e7, where single precision is coarser than any bound of these tests
  wide,         // 1e30 next to 1e-30
  special,      // mostly smooth; NaN with payloads, infinities, -0, subnormals in between
  all_special,  // nothing but those
  overflow,     // near the type's largest number
};
inline constexpr std::array all_patterns{
    Pattern::smooth,  Pattern::noise,   Pattern::alike,       Pattern::constant,
    Pattern::zero,    Pattern::sparse,  Pattern::ties,        Pattern::large,
    Pattern::wide,    Pattern::special, Pattern::all_special, Pattern::cancelling,
    Pattern::overflow};
// Those whose products are unremarkable numbers.
inline constexpr std::array mild_patterns{Pattern::smooth, Pattern::noise, Pattern::constant};

[[nodiscard]] std::string_view name_of(Pattern pattern);

// 64 random bits for this place.
[[nodiscard]] std::uint64_t random_bits(std::uint64_t seed, int rank, std::size_t index);

template <class T>  // float, double
void fill(Pattern pattern, std::uint64_t seed, int rank, std::size_t first, std::span<T> values);

template <class T>
[[nodiscard]] std::vector<T> make(Pattern pattern, std::uint64_t seed, int rank,
                                  std::size_t count) {
  std::vector<T> values(count);
  fill<T>(pattern, seed, rank, 0, values);
  return values;
}

}  // namespace check
