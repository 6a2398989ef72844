// How long a codec takes here, for who has to know that before any message was encoded.
#pragma once

#include <optional>
#include <span>

#include "codec/encoding.h"

namespace tightwire::mpi {

// Compared with what the cost model expects, as of policy::speeds_of(): by the messages of this
// process so far (own_speeds.h), or else by encoding a few pieces of `values`, which takes some
// tens of microseconds, once for each codec. Nothing where there are too few of them or they do not
// shrink, and with `deterministic`. Any thread.
[[nodiscard]] std::optional<double> own_codec_time(std::span<const std::byte> values,
                                                   const codec::Encoding& encoding);

}  // namespace tightwire::mpi
