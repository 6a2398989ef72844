// The streams that a device must write, made by the processor on all its cores.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "codec/bounded/layout.h"

namespace tightwire::bench {

using Stream = std::vector<std::byte>;

[[nodiscard]] Stream encoded_by_processor(const codec::bounded::Header& header,
                                          std::span<const std::byte> values);

// Of the sum of what `incoming` holds and of `own`.
[[nodiscard]] Stream merged_by_processor(const codec::bounded::Header& header,
                                         const Stream& incoming, std::span<const std::byte> own);

// The same of what two streams of `count` values hold.
[[nodiscard]] Stream combined_by_processor(const codec::bounded::Header& header, std::size_t count,
                                           const Stream& first, const Stream& second);

}  // namespace tightwire::bench
