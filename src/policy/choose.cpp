#include "policy/choose.h"

#include <algorithm>
#include <limits>

#include "policy/thresholds.h"

namespace tightwire::policy {
namespace {

using settings::Mode;
using settings::Settings;

// Below this a chunk's fixed costs (a message, a header, a codec start) outweigh the overlap won.
constexpr std::size_t smallest_chunk = std::size_t{32} << 10;
// Above this the encoder runs out of the second-level cache and the first chunk starts late.
constexpr std::size_t largest_chunk = std::size_t{1} << 20;
// Enough to hide most of the codec behind the transfer, or the other way round.
constexpr std::size_t usual_chunks = 8;
// A frame must fit MPI's int counts with room for its header and the codec's worst case.
constexpr std::size_t largest_frame = std::size_t{1} << 30;

std::size_t pieces(std::size_t bytes, std::size_t largest) {
  return std::max<std::size_t>(1, (bytes + largest - 1) / largest);
}

struct Choice {
  Tier tier = Tier::raw;
  Reason why = Reason::none;
};

// Whether a message is compressed may be decided by the clock here. Which last digits a sum has
// must not: where no bound covers them they are MPI's own, in every run.
Choice adaptive_tier(const Settings& settings, const Call& call, bool boundable) {
  if (boundable && call.bytes >= bounded_threshold(settings, call.operation, call.is_timed)) {
    return {Tier::bounded};
  }
  if (call.bytes < exact_threshold(settings, call.operation, call.is_timed)) {
    return {Tier::raw, Reason::small};
  }
  if (call.rounds) return {Tier::raw, boundable ? Reason::small : Reason::rounds};
  return {Tier::exact};
}

Choice choose_tier(const Settings& settings, const Call& call) {
  const bool boundable = call.boundable && settings.error_bound.given();
  switch (settings.mode) {
    case Mode::raw:
      break;
    case Mode::exact:
      return {Tier::exact};
    case Mode::bounded:
      return {boundable ? Tier::bounded : Tier::exact};
    case Mode::adaptive:
    case Mode::adaptive_pipelined:
      return adaptive_tier(settings, call, boundable);
  }
  return {Tier::raw, Reason::off};
}

}  // namespace

codec::Id bounded_codec(const Settings& settings) {
#define TIGHTWIRE_BOUNDED_CODEC(id, ...) \
  if (settings.bounded_codec == settings::BoundedCodec::id) return codec::Id::id;
#define TIGHTWIRE_BOUNDED_VARIANT(id, name, remark, codec_id, ...) \
  if (settings.bounded_codec == settings::BoundedCodec::id) return codec::Id::codec_id;
#include "codecs.def"
  return codec::Id::bounded;
}

codec::Id exact_codec(const Settings& settings) {
#define TIGHTWIRE_EXACT_CODEC(id, ...) \
  if (settings.exact_codec == settings::ExactCodec::id) return codec::Id::id;
#define TIGHTWIRE_EXACT_VARIANT(id, name, remark, codec_id, ...) \
  if (settings.exact_codec == settings::ExactCodec::id) return codec::Id::codec_id;
#include "codecs.def"
  return codec::Id::zstd;
}

bool looks_for_range(const Settings& settings, const Plan& plan) {
  return plan.tier == Tier::bounded &&
         settings.error_bound.kind == settings::ErrorBound::Kind::relative;
}

codec::Parameters codec_parameters(const Settings& settings, codec::Id codec) {
  codec::Parameters parameters;
  parameters.zstd_level = settings.zstd_level.value;
  parameters.zfp_rate = settings.zfp_rate.value;
#define TIGHTWIRE_VARIANT(chosen, codec_id, parameter, value) \
  if (codec == codec::Id::codec_id && (chosen)) parameters.parameter = codec::value;
#define TIGHTWIRE_BOUNDED_VARIANT(id, name, remark, ...) \
  TIGHTWIRE_VARIANT(settings.bounded_codec == settings::BoundedCodec::id, __VA_ARGS__)
#define TIGHTWIRE_EXACT_VARIANT(id, name, remark, ...) \
  TIGHTWIRE_VARIANT(settings.exact_codec == settings::ExactCodec::id, __VA_ARGS__)
#include "codecs.def"
#undef TIGHTWIRE_VARIANT
  return parameters;
}

Plan choose(const Settings& settings, const Call& call) {
  Plan plan;
  plan.why = Reason::small;
  if (call.bytes == 0) return plan;
  const Choice choice = choose_tier(settings, call);
  plan.tier = choice.tier;
  plan.why = choice.why;
  if (plan.tier == Tier::raw) return plan;
  plan.codec = plan.tier == Tier::bounded ? bounded_codec(settings) : exact_codec(settings);
  plan.pipelined = settings.mode == Mode::adaptive_pipelined &&
                   call.bytes >= pipelined_threshold(settings, call.operation);
  return plan;
}

bool is_short(const Settings& settings, const Call& call) {
  if (!call.is_timed) return false;
  Call untimed = call;
  untimed.is_timed = false;
  return choose(settings, untimed).tier == Tier::raw;
}

std::size_t smallest_compressed(const Settings& settings, bool is_timed) {
  constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
  if (settings.mode == Mode::raw) return never;
  if (!settings::is_adaptive(settings.mode)) return 1;
  constexpr Operation any = Operation::bcast;
  const std::uint64_t bounded =
      settings.error_bound.given() ? bounded_threshold(settings, any, is_timed) : never;
  return std::max<std::size_t>(1, std::min(exact_threshold(settings, any, is_timed), bounded));
}

std::size_t ChunkRange::usual() const {
  return std::clamp(usual_chunks, fewest, most);
}

ChunkRange chunk_range(const Settings& settings, const Plan& plan, std::size_t bytes) {
  if (!plan.pipelined) {
    const std::size_t frames = pieces(bytes, largest_frame);
    return {frames, frames};
  }
  const std::size_t fewest = pieces(bytes, largest_chunk);
  const std::size_t most = std::max(fewest, bytes / smallest_chunk);
  if (!settings.chunks.given()) return {fewest, most};
  const std::size_t chunks = std::clamp<std::size_t>(settings.chunks.value, fewest, most);
  return {chunks, chunks};
}

std::optional<ChunkRange> message_chunk_range(const Settings& settings, const Plan& plan,
                                              std::size_t bytes) {
  if (settings.chunks.given()) return chunk_range(settings, plan, bytes);
  return bytes <= largest_frame ? std::optional(ChunkRange{1, 1}) : std::nullopt;
}

}  // namespace tightwire::policy
