// Which point-to-point messages travel as frames: what sender and receiver must see alike.
#pragma once

#include <cstddef>
#include <optional>

#include "settings/settings.h"

namespace tightwire::policy {

// Smaller messages than this are never framed: the trailer alone would outweigh the gain.
inline constexpr std::size_t smallest_frame = 256;

// Messages of at least so many bytes between hosts are frames, all others are not. Nothing where no
// message is. A receiver does not know what type of data the sender has, so that plays no part.
[[nodiscard]] std::optional<std::size_t> frame_threshold(const settings::Settings& settings);

}  // namespace tightwire::policy
