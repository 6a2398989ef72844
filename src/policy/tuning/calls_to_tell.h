// How many calls tell how long such calls take.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tightwire::policy {

// The most, but of long ones no more than fill 20 ms, and the fewest.
struct CallsToTell {
  std::size_t most;
  std::size_t fewest;

  [[nodiscard]] std::size_t of(double seconds_a_call) const {
    constexpr double enough = 20e-3;
    const double fill = std::ceil(enough / seconds_a_call);
    return fill < static_cast<double>(most) ? std::max(static_cast<std::size_t>(fill), fewest)
                                            : most;
  }
};

// Of a trial. Of two the shorter counts: the first may be cold.
inline constexpr CallsToTell calls_of_a_trial{4, 2};
// After which it is seen whether compression is the gain that it was taken for. Of four the second
// shortest counts: the first two may be cold.
inline constexpr CallsToTell calls_on_trust{10, 4};

}  // namespace tightwire::policy
