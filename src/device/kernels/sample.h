// Some of a message, for whoever estimates on the processor what it will shrink to: pieces of
// neighbouring values, at equal distances from the first to the last.
#pragma once

#include <cstdint>

#include "device/kernels/vocabulary.h"

namespace tightwire::device {

struct Pieces {
  std::uint64_t count;  // values of the message, at least `length`
  std::uint32_t pieces;
  std::uint32_t length;

  [[nodiscard]] TIGHTWIRE_EITHER std::uint64_t first_of(std::uint32_t piece) const {
    if (pieces < 2) return 0;
    const std::uint64_t last = count - length;
    // last * piece may not fit.
    return last / (pieces - 1) * piece + last % (pieces - 1) * piece / (pieces - 1);
  }
};

// `out` has pieces.length values of one piece.
template <class T>
TIGHTWIRE_KERNEL void take_piece(auto& lanes, const T* values, const Pieces& pieces,
                                 std::uint32_t piece, T* out) {
  const std::uint64_t first = pieces.first_of(piece);
  lanes.each(pieces.length, [&](unsigned i) { out[i] = values[first + i]; });
}

}  // namespace tightwire::device
