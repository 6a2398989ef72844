// By what a sender finds out from which earlier messages the next ones are best predicted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "codec/history/promise.h"

namespace tightwire::history {

// Fields that take turns: LAMMPS' best reference is the 2nd or 3rd message back, CP2K's the 4th.
inline constexpr std::uint16_t most_spacing = 6;
// A search costs some ten samples. So it is made now and then: when there are two messages to
// compare with, and when there are as many as fields take turns; then the channel is decided about.
inline constexpr std::array<unsigned, 3> searches{3, 6, 10};
// Enough to see that prediction pays; how many more do is learned then.
inline constexpr std::uint8_t most_while_searching = 2;
// What pays for keeping and reading earlier messages.
inline constexpr double least_gain = 1.08;

// What prediction in time adds to the message's own ratio.
[[nodiscard]] inline double gain_of(const codec::HistoryPromise& promise) {
  const double alone = std::max(promise.ratio[0], 1.0);
  return promise.order == 0 ? 0 : promise.ratio[promise.order] / alone;
}

}  // namespace tightwire::history
