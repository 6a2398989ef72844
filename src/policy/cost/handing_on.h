// What it takes that a Bcast's ranks hand its chunks on: a rank does so only once it has decoded
// the chunks that came before, or with enough helpers as soon as its link is free. Pure functions.
#pragma once

#include <cstddef>

#include "policy/cost/cost.h"
#include "policy/cost/speeds.h"
#include "policy/cost/tree.h"

namespace tightwire::policy {

// Frames that are on their way across one link at once arrive together, and the first of them as
// late as the last: no more go than keep the link busy, so many, and of small ones so many bytes.
inline constexpr std::size_t most_under_way = 2;
inline constexpr std::size_t most_bytes_under_way = std::size_t{128} << 10;

// What the message is to a tree.
[[nodiscard]] HandedOn handed_on(const Facts& facts, const Speeds& speeds, std::size_t chunks);

// Seconds from when the first chunk is sent until the last rank has the last one.
[[nodiscard]] double along_tree_seconds(const Facts& facts, const Speeds& speeds,
                                        std::size_t chunks);

}  // namespace tightwire::policy
