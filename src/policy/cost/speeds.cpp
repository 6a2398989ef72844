#include "policy/cost/speeds.h"

#include <algorithm>

#include "codec/estimate/estimate.h"
#include "codec/traits.h"

namespace tightwire::policy {
namespace {

// Adding a rank's values where the codec cannot do it in the integer domain: memory speed.
constexpr double add = 1.5e-10;
// Checksums of a frame's bytes, once at each end.
constexpr double checksum = 1e-10;
// A fused pass does a little more than its two halves; measured on `bounded`.
constexpr double fused = 1.2;

}  // namespace

double typical_ratio(codec::Id codec) {
  return codec::traits_of(codec).ratio;
}

Speeds speeds_of(codec::Id codec, codec::ElementType type, double ratio, double codec_time) {
  constexpr std::size_t sample = std::size_t{1} << 20;
  const codec::Traits& typical = codec::traits_of(codec);
  double encode = 1e-9 / typical.encode_speed;
  double decode = 1e-9 / typical.decode_speed;
  codec::Prediction prediction{codec, ratio, 0, 0};
  codec::predict_times(type, sample, prediction);
  if (prediction.encode_seconds > 0) {
    encode = prediction.encode_seconds / sample;
    decode = prediction.decode_seconds / sample;
  }
  Speeds speeds;
  speeds.ratio = std::max(ratio, 1.0);
  speeds.encode = codec_time * encode + checksum / speeds.ratio;
  speeds.decode = codec_time * decode + checksum / speeds.ratio;
  const bool integers = codec == codec::Id::bounded;
  speeds.merge =
      integers ? fused * (speeds.encode + speeds.decode) : speeds.encode + speeds.decode + add;
  speeds.merges_together = integers;
  speeds.combine = speeds.encode + 2 * speeds.decode + (integers ? 0 : add);
  return speeds;
}

}  // namespace tightwire::policy
