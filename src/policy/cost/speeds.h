// How fast codecs are, as the cost model takes it.
#pragma once

#include "codec/codec.h"

namespace tightwire::policy {

// Seconds on one core for each byte of values.
struct Speeds {
  double encode = 0;
  double decode = 0;
  double merge = 0;              // a frame and a rank's own values to a frame
  double combine = 0;            // two frames to a frame
  bool merges_together = false;  // whether helpers can merge
  double ratio = 1;              // size of the values / size of their frames
};

// Of values that are looked at for their range, on one core: by measurement
// (docs/dev/performance.md).
inline constexpr double look_seconds_per_byte = 0.1e-9;
// Of a shorter message the calling thread alone looks at the values.
inline constexpr std::size_t least_bytes_of_shared_look = std::size_t{2} << 20;

// What a codec makes of typical simulation data; the model starts from it where no sample of the
// values is at hand.
[[nodiscard]] double typical_ratio(codec::Id codec);

// On a machine whose codec takes `codec_time` times as long as that of the one that speeds.inc was
// measured on.
[[nodiscard]] Speeds speeds_of(codec::Id codec, codec::ElementType type, double ratio,
                               double codec_time = 1);

}  // namespace tightwire::policy
