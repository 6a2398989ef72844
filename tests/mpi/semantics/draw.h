// Random draws of sizes and the like, weighted towards where mistakes are made.
#pragma once

#include "generate.h"
#include "random.h"

namespace semantics {

[[nodiscard]] Base draw_base(Random& random);
// Bytes: none, one, around the threshold, or more.
[[nodiscard]] std::size_t draw_bytes(Random& random, const Limits& limits);
[[nodiscard]] Signature draw_signature(Random& random, const Limits& limits);
[[nodiscard]] Placement draw_placement(Random& random);
[[nodiscard]] Content draw_content(Random& random);

}  // namespace semantics
