// Which grid a message of the device profile is put on: the header of its encodings.
#pragma once

#include "codec/bounded/layout.h"
#include "device/kernels/range.h"

namespace tightwire::device {

// The header of a message's encodings but for the count: a grid of its own for values of which all
// finite ones lie in [smallest, largest]. Without a grid (GridKind::none) where the bound is too
// fine for these values.
[[nodiscard]] codec::bounded::Header header_for(codec::ElementType type, double error_bound,
                                                double smallest, double largest);

// The same for what will be added up: the grid follows from the bound and the number of terms.
[[nodiscard]] codec::bounded::Header header_for_sums(codec::ElementType type, double error_bound,
                                                     std::uint32_t terms);

// The numbers that a range of floats or doubles stands for; 1 and 0 where nothing has been seen.
struct Ends {
  double smallest = 1;
  double largest = 0;
};
[[nodiscard]] Ends ends_of(codec::ElementType type, const OrderedRange& range);

}  // namespace tightwire::device
