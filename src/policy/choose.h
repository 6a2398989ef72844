// Which tier, codec and chunks a call gets. Pure functions of settings and facts that all ranks
// share, so that all ranks choose alike without communicating.
#pragma once

#include <cstddef>
#include <optional>

#include "policy/call.h"
#include "settings/settings.h"

namespace tightwire::policy {

[[nodiscard]] Plan choose(const settings::Settings& settings, const Call& call);

// Of a call that is not raw: whether it would be if it were not timed.
[[nodiscard]] bool is_short(const settings::Settings& settings, const Call& call);

// No collective of fewer bytes is compressed, whatever it is; where calls are timed, or are not.
[[nodiscard]] std::size_t smallest_compressed(const settings::Settings& settings, bool is_timed);

// The codec of the exact tier, also for data that turns out to have no usable bound.
[[nodiscard]] codec::Id exact_codec(const settings::Settings& settings);

// That of the bounded tier.
[[nodiscard]] codec::Id bounded_codec(const settings::Settings& settings);

// Whether the values are first looked at as a whole: the bound is a part of their range.
[[nodiscard]] bool looks_for_range(const settings::Settings& settings, const Plan& plan);

// What the settings ask of a codec.
[[nodiscard]] codec::Parameters codec_parameters(const settings::Settings& settings,
                                                 codec::Id codec);

// Into how many chunks a piece of `bytes` may be cut: more than 1 only if the plan is pipelined or
// a single frame would be too large for MPI. A number that the user asked for leaves no choice.
struct ChunkRange {
  std::size_t fewest = 1;
  std::size_t most = 1;
  // One number out of it, for data that is only moved, where its ranks know no more than its size.
  [[nodiscard]] std::size_t usual() const;
};
[[nodiscard]] ChunkRange chunk_range(const settings::Settings& settings, const Plan& plan,
                                     std::size_t bytes);

// The same for a message between two ranks: in one piece, unless the user asks for chunks. The
// first of them is sent by the call of the program, but the others leave while its rank is in MPI;
// plain MPI's receiver would wait for no such thing. Nothing where it is too large for one piece.
[[nodiscard]] std::optional<ChunkRange> message_chunk_range(const settings::Settings& settings,
                                                            const Plan& plan, std::size_t bytes);

}  // namespace tightwire::policy
