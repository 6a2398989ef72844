// What predicting a message from earlier ones promises, from a sample: for deciding whether to keep
// them, and how many.
//
// Reads some hundred to 4096 of the values and of each reference: some microseconds, with an error
// bound some tens. A pure function; it allocates what it reads, without which all is 0.
#pragma once

#include <array>
#include <cstdint>

#include "codec/codec.h"

namespace tightwire::codec {

struct HistoryPromise {
  // Size of the values / size of an encoding by `exact` (with an error bound: `bounded`) in tiles,
  // if it predicts from so many references: from none, from one, ... 0 of orders that there are
  // not.
  std::array<double, 1 + most_references> ratio{};
  // So many pay for being kept and read; 0: prediction in time does not.
  std::uint8_t order = 0;
};

// parameters.references, row_length and components are looked at, and of floating-point values the
// error bound, if it is above 0 (then rows are not). Where references are not as large as the
// values, or there are hardly any of these, all are 0.
[[nodiscard]] HistoryPromise promise_of_history(ElementType type, std::span<const std::byte> values,
                                                const Parameters& parameters) noexcept;

}  // namespace tightwire::codec
