// Fill values: what a program writes where it has no value (land in an ocean's field, a sentinel
// behind the last record). The one rule by which they are told from measurements.
//
// Of the different finite numbers of a message up to three largest and up to three smallest are
// fill values if they are further from all others than four times what these are from each other,
// and than eight times the error bound; the one next to the others must stand there exactly the
// same at least twice. If the others are all the same, they count as far apart as they are from
// zero, and one number on each side may be a fill value.
#pragma once

#include <span>

#include "codec/codec.h"
#include "codec/fill/sample.h"
#include "codec/fill/tails.h"

namespace tightwire::codec {

// Looks at every value, unless some of them, or a sample, rule out that there is any. `finite` is
// the extent of all finite values.
template <class T>
[[nodiscard]] FillValues find_fill_values(std::span<const std::byte> values, const Extent& finite,
                                          double error_bound, Tails some = {});

// Those that a sample shows.
[[nodiscard]] FillValues fill_values_of(const Sample& sample, double error_bound);

// Of all finite values; the smallest is above the largest if there are none. Of parts it may be
// joined.
template <class T>
[[nodiscard]] Extent finite_extent(std::span<const std::byte> values);
[[nodiscard]] Extent finite_extent(ElementType type, std::span<const std::byte> values);

}  // namespace tightwire::codec
