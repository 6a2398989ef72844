#include "policy/choose.h"

#include <algorithm>

namespace tightwire::policy {
namespace {

using settings::Mode;
using settings::Settings;

// Below this a chunk's fixed costs (a message, a header, a codec start) outweigh the overlap won.
constexpr std::size_t smallest_chunk = std::size_t{32} << 10;
// Above this the encoder runs out of the second-level cache and the first chunk starts late.
constexpr std::size_t largest_chunk = std::size_t{1} << 20;
// A frame must fit MPI's int counts with room for its header and the codec's worst case.
constexpr std::size_t largest_frame = std::size_t{1} << 30;

std::size_t pieces(std::size_t bytes, std::size_t largest) {
  return std::max<std::size_t>(1, (bytes + largest - 1) / largest);
}

codec::Id bounded_codec(const Settings& settings) {
  switch (settings.bounded_codec) {
    case settings::BoundedCodec::bounded:
      return codec::Id::bounded;
    case settings::BoundedCodec::sz3:
      return codec::Id::sz3;
    case settings::BoundedCodec::zfp_accuracy:
      return codec::Id::zfp_accuracy;
    case settings::BoundedCodec::zfp_rate:
      return codec::Id::zfp_rate;
  }
  return codec::Id::bounded;
}

Tier adaptive_tier(const Settings& settings, const Call& call, bool boundable) {
  if (boundable && call.bytes >= settings.threshold_bounded.value) return Tier::bounded;
  if (call.bytes >= settings.threshold_exact.value) return Tier::exact;
  return Tier::raw;
}

Tier choose_tier(const Settings& settings, const Call& call) {
  const bool boundable = call.boundable && settings.error_bound.given();
  switch (settings.mode) {
    case Mode::raw:
      return Tier::raw;
    case Mode::exact:
      return Tier::exact;
    case Mode::bounded:
      return boundable ? Tier::bounded : Tier::exact;
    case Mode::adaptive:
    case Mode::adaptive_pipelined:
      return adaptive_tier(settings, call, boundable);
  }
  return Tier::raw;
}

}  // namespace

codec::Id exact_codec(const Settings& settings) {
  switch (settings.exact_codec) {
    case settings::ExactCodec::exact:
      return codec::Id::exact;
    case settings::ExactCodec::zstd:
      return codec::Id::zstd;
    case settings::ExactCodec::lz4:
      return codec::Id::lz4;
  }
  return codec::Id::zstd;
}

Plan choose(const Settings& settings, const Call& call) {
  Plan plan;
  if (call.bytes == 0) return plan;
  plan.tier = choose_tier(settings, call);
  if (plan.tier == Tier::raw) return plan;
  plan.codec = plan.tier == Tier::bounded ? bounded_codec(settings) : exact_codec(settings);
  plan.pipelined =
      settings.mode == Mode::adaptive_pipelined && call.bytes >= settings.threshold_pipelined.value;
  return plan;
}

std::size_t chunk_count(const Settings& settings, const Plan& plan, std::size_t bytes) {
  if (!plan.pipelined) return pieces(bytes, largest_frame);
  const std::size_t fewest = pieces(bytes, largest_chunk);
  const std::size_t most = std::max<std::size_t>(1, bytes / smallest_chunk);
  return std::clamp<std::size_t>(settings.chunks.value, std::min(fewest, most),
                                 std::max(fewest, most));
}

}  // namespace tightwire::policy
