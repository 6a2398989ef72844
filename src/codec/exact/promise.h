// What tiles would make of values, from a sample of them.
#pragma once

#include <cstddef>
#include <span>

#include "codec/exact/layout.h"
#include "codec/exact/transform.h"

namespace tightwire::codec::exact {

// The transform for tiles, and the ratio that the sample promises with it: infinite where there are
// too few values for a sample.
struct Promise {
  Transform transform;
  double ratio;
};

// Of tiles with the transform, or without where that is hardly worse, since some value may not fit.
[[nodiscard]] Promise promise_of(const Header& header, const Transform& transform,
                                 std::span<const std::byte> values);

}  // namespace tightwire::codec::exact
