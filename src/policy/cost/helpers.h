// What threads that help a rank make of the codec's work.
#pragma once

#include <algorithm>
#include <cstddef>

namespace tightwire::policy {

// To wake a helper for fewer bytes of values takes longer than it saves.
inline constexpr std::size_t least_bytes_of_helper = std::size_t{128} << 10;

// As many get done what a network brings: then their caller only moves it. That one more was at
// work is not worth that nothing moves meanwhile.
inline constexpr std::size_t enough_helpers = 6;
// The same, where that is all that is known of them.
inline constexpr double speedup_of_enough_helpers = 5;

// What a speed-up that was `measured` with enough to do makes of so many bytes at once.
[[nodiscard]] constexpr double coding_speedup_of_call(double measured, std::size_t bytes) {
  const double threads = static_cast<double>(bytes) / static_cast<double>(least_bytes_of_helper);
  return std::clamp(measured, 1.0, std::max(threads, 1.0));
}

// Of work that takes a core so long and that helpers share; the calling thread alone moves what
// comes or goes meanwhile. At worst it does all.
[[nodiscard]] constexpr double together(double work, double moving, double speedup) {
  return std::min(work, std::max((work + moving) / speedup, moving));
}

}  // namespace tightwire::policy
