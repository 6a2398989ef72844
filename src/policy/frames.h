// Which point-to-point messages travel as frames: what sender and receiver must see alike.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "settings/settings.h"

namespace tightwire::policy {

// Smaller messages than this are never framed: the trailer alone would outweigh the gain.
inline constexpr std::size_t smallest_frame = 256;

// Messages of at least so many bytes between hosts are frames, all others are not. Nothing where no
// message is. A receiver does not know what type of data the sender has, so that plays no part.
[[nodiscard]] std::optional<std::size_t> frame_threshold(const settings::Settings& settings);

// The same where rules may want smaller messages compressed. What a rule goes by is known to the
// sender alone, so that messages of its size are frames for everybody.
[[nodiscard]] std::optional<std::size_t> frame_threshold(const settings::Settings& settings,
                                                         std::span<const settings::Rule> rules);

}  // namespace tightwire::policy
