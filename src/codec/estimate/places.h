// Where in a message an estimate looks.
#pragma once

#include <algorithm>
#include <cstddef>

#include "codec/estimate/blocks.h"

namespace tightwire::codec {

// One piece in each of equal parts of the message, at a place in it that no row length is in step
// with: fractions of the golden ratio.
class Places {
 public:
  Places(std::size_t count, std::size_t pieces) : count_(count), pieces_(pieces) {}
  [[nodiscard]] std::size_t operator[](std::size_t piece) const {
    const double part = static_cast<double>(count_) / static_cast<double>(pieces_);
    const double turns = 0.6180339887498949 * static_cast<double>(piece);
    const double fraction = turns - static_cast<double>(static_cast<std::size_t>(turns));
    const auto place = static_cast<std::size_t>((static_cast<double>(piece) + fraction) * part);
    return std::min(place, count_ - Piece::values);
  }

 private:
  std::size_t count_;
  std::size_t pieces_;
};

}  // namespace tightwire::codec
