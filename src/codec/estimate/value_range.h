// The range of values that a relative error bound is a part of.
//
// Left out are NaN, infinities and fill values (fill/find.h), unless all others are the same. What
// is wrongly taken for a fill value only makes the bound finer.
#pragma once

#include <span>
#include <string>

#include "codec/codec.h"
#include "codec/fill/extent.h"

namespace tightwire::codec {

struct ValueRange {
  double smallest = 0;
  double largest = 0;
  bool any = false;   // finite values
  double inside = 0;  // width of what a sample has between the two; of joined ranges not known

  // May overflow to infinity.
  [[nodiscard]] double width() const { return any ? largest - smallest : 0; }
  [[nodiscard]] bool constant() const { return any && largest == smallest; }
  // Whether a few values alone make the range so wide: all others of a sample, of which not all are
  // the same, are within `bound` of each other. Such a bound leaves nothing of them.
  [[nodiscard]] bool wiped_out_by(double bound) const { return inside > 0 && inside <= bound; }

  // The range of both; where one is a single value, that may be the other's fill value.
  [[nodiscard]] ValueRange joined(const ValueRange& other) const;
};

// Of all values, which are floating-point numbers.
[[nodiscard]] ValueRange value_range(ElementType type, std::span<const std::byte> values);
// The same where the extent of the finite ones is known (finite_extent() in fill/find.h).
[[nodiscard]] ValueRange value_range(ElementType type, std::span<const std::byte> values,
                                     const Extent& finite);

// What to tell a user of `count` values of that range that are wiped out by a bound.
[[nodiscard]] std::string wiped_out_text(std::size_t count, const ValueRange& range, double bound);

}  // namespace tightwire::codec
