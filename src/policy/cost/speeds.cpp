#include "policy/cost/speeds.h"

#include <algorithm>

#include "codec/estimate/estimate.h"

namespace tightwire::policy {
namespace {

// Adding a rank's values where the codec cannot do it in the integer domain: memory speed.
constexpr double add = 1.5e-10;
// Checksums of a frame's bytes, once at each end.
constexpr double checksum = 1e-10;
// A fused pass does a little more than its two halves; measured on `bounded`.
constexpr double fused = 1.2;

struct Typical {
  codec::Id codec = codec::Id::raw;
  double encode = 1e-10;  // seconds for each byte
  double decode = 1e-10;
  double ratio = 1;
};

constexpr Typical known[] = {
#define TIGHTWIRE_CODEC_SPEED(id, encode, decode, ratio) \
  {codec::Id::id, 1e-9 / (encode), 1e-9 / (decode), ratio},
#include "policy/cost/codec_speed.inc"
#undef TIGHTWIRE_CODEC_SPEED
};

Typical typical(codec::Id codec) {
  const auto* const found = std::ranges::find(known, codec, &Typical::codec);
  return found == std::end(known) ? Typical{} : *found;
}

}  // namespace

double typical_ratio(codec::Id codec) {
  return typical(codec).ratio;
}

Speeds speeds_of(codec::Id codec, codec::ElementType type, double ratio) {
  constexpr std::size_t sample = std::size_t{1} << 20;
  Typical speed = typical(codec);
  codec::Prediction prediction{codec, ratio, 0, 0};
  codec::predict_times(type, sample, prediction);
  if (prediction.encode_seconds > 0) {
    speed.encode = prediction.encode_seconds / sample;
    speed.decode = prediction.decode_seconds / sample;
  }
  Speeds speeds;
  speeds.ratio = std::max(ratio, 1.0);
  speeds.encode = speed.encode + checksum / speeds.ratio;
  speeds.decode = speed.decode + checksum / speeds.ratio;
  const bool integers = codec == codec::Id::bounded;
  speeds.merge =
      integers ? fused * (speeds.encode + speeds.decode) : speeds.encode + speeds.decode + add;
  speeds.combine = speeds.encode + 2 * speeds.decode + (integers ? 0 : add);
  return speeds;
}

}  // namespace tightwire::policy
