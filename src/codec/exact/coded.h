// The second stage of `exact`: residuals through the entropy coder. Slower than the tiles and
// smaller; for slow links.
#pragma once

#include "codec/exact/layout.h"
#include "codec/exact/transform.h"

namespace tightwire::codec::exact {

// Sizes are of the body, which is what follows the header. Both allocate. Where values do not fit
// the transform, their encoding has none.
Result encode_coded(const Header& header, const Transform& transform,
                    std::span<const std::byte> values, std::span<std::byte> body);
// The bits that one of the values will take, from a sample of them. Allocates; infinite if there is
// no memory.
double estimate_coded(const Header& header, const Transform& transform,
                      std::span<const std::byte> values, Counted counted = Counted::all);
Result decode_coded(const Header& header, std::span<const std::byte> body, References references,
                    std::span<std::byte> values);

}  // namespace tightwire::codec::exact
