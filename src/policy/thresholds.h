// From which size on the adaptive modes try to compress a message. What the user leaves open is
// small where a sample of each message says whether that pays, and otherwise large enough to pay on
// most networks.
#pragma once

#include <cstdint>

#include "policy/call.h"
#include "settings/settings.h"

namespace tightwire::policy {

// In bytes; Bytes::never is larger than any message. Calls that are timed are tried from a smaller
// size on: those below the size of others are short ones (short_calls.h).
[[nodiscard]] std::uint64_t exact_threshold(const settings::Settings& settings, Operation operation,
                                            bool is_timed = false);
// Where there is a bound.
[[nodiscard]] std::uint64_t bounded_threshold(const settings::Settings& settings,
                                              Operation operation, bool is_timed = false);

// From which size on mode adaptive+pipelined may cut a message into chunks.
[[nodiscard]] std::uint64_t pipelined_threshold(const settings::Settings& settings,
                                                Operation operation);

// Whether a sample may say how a message between two ranks is encoded that the settings leave to
// `planned`: only codecs of our own, as users get them, and the usual byte codecs can be told from
// one. Another is the user's word.
[[nodiscard]] bool is_left_to_samples(const settings::Settings& settings, codec::Id planned);

}  // namespace tightwire::policy
