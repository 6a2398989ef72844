// How long messages and frames are on the wire, which is all that a probe sees of them
// (wire/lengths/frame_length.h).
#include <algorithm>

#include "p2p/feedback/announced_lengths.h"
#include "p2p/state/frame_rules.h"
#include "p2p/transfer/outgoing.h"
#include "wire/lengths/frame_length.h"
#include "wire/trailer.h"

namespace tightwire::p2p {

// What no length can be announced for is received by a probe.
std::size_t Outgoing::length_on_the_wire() const {
  const std::size_t size = values_.size();
  const bool hides = mode_ == SendMode::synchronous && wire::is_encoded_length(size);
  if (!hides && !wire::is_announced_length(size)) return size;
  const auto announced = announced_lengths().length_of(size, world_rank_);
  return announced ? *announced : wire::encoded_length_within(size);
}

std::size_t Outgoing::frame_size(std::size_t payload_size) const {
  const std::size_t needed = payload_size + wire::overhead(history_.to_keep());
  const std::size_t least = std::max(needed, frame_rules().shortest_frame);
  if (mode_ == SendMode::standard) return wire::encoded_length(least);
  // A probe is not to receive it. Where no length can be announced it is not worth it.
  const std::size_t bytes = values_.size();
  return announced_lengths().length_from(least, bytes, world_rank_).value_or(bytes + 1);
}

}  // namespace tightwire::p2p
