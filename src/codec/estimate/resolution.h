// Whether an error bound is below what the type can hold of some values: then they can only be
// exact.
#pragma once

#include <span>

#include "codec/codec.h"

namespace tightwire::codec {

// Of floating-point numbers, by a sample, which mostly ends at the first one: whether there are
// some, other than 0, and each of them has no other number within the bound. False if there is
// none.
[[nodiscard]] bool is_below_resolution(ElementType type, std::span<const std::byte> values,
                                       double error_bound);

}  // namespace tightwire::codec
