// The second stage of `bounded`: the grid's integers through the entropy coder. Slower than the
// tiles and smaller; for slow links.
#pragma once

#include "codec/bounded/layout.h"

namespace tightwire::codec::bounded {

// Sizes are of the body, which is what follows the header. Both allocate. The header's rows have no
// reach.
Result encode_coded(const Header& header, std::span<const std::byte> values,
                    std::span<std::byte> body);
Result decode_coded(const Header& header, std::span<const std::byte> body,
                    std::span<std::byte> values);

// No encoding is worth the coder whose tiles take fewer bits a value.
inline constexpr double least_bits = 0.25;

}  // namespace tightwire::codec::bounded
