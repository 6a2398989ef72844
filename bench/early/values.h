// A field that moves: where the wave has not come yet the values are equal, elsewhere smooth with
// some noise in the last bits. The same on all ranks.
#pragma once

#include <bit>
#include <cstdint>

namespace tightwire::bench {

// Percent of the values that are equal, unless that is what is varied.
inline constexpr unsigned usual_equal = 50;

// Any two inputs give unrelated outputs.
inline std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352dU;
  x = (x ^ (x >> 15)) * 0x846ca68bU;
  return x ^ (x >> 16);
}

inline float value(int round, int i, unsigned percent_equal) {
  const auto x = static_cast<std::uint32_t>(i + 16 * round);
  if (mixed(x / 64) % 100 < percent_equal) return 1.0F;
  const std::uint32_t noise = mixed(x) >> 22;
  const std::uint32_t slope = (x % 65536U) << 6;
  return std::bit_cast<float>(0x3f800000U + slope + noise);
}

}  // namespace tightwire::bench
