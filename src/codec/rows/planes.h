// Whether tiles should be predicted from planes: the integers of a whole plane must be kept at
// hand, which takes memory and time even where they are not used.
#pragma once

#include <span>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "codec/exact/layout.h"

namespace tightwire::codec {

// False without planes, with components, and where a sample does not say that they predict clearly
// better than rows. The same on every machine.
[[nodiscard]] bool bounded_planes_pay(const bounded::Header& header,
                                      std::span<const std::byte> values);
[[nodiscard]] bool exact_planes_pay(const exact::Header& header, std::span<const std::byte> values);

}  // namespace tightwire::codec
