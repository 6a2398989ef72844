// What the stages of a call take, for the formulas of the cost model.
#pragma once

#include <algorithm>
#include <cstddef>

#include "policy/cost/cost.h"
#include "policy/cost/helpers.h"

namespace tightwire::policy {

// A transfer and the codec's work in one step of an algorithm, both cut into `chunks`: one hides
// behind the other, but for the first chunk, and no chunk can be on its way before it has arrived.
[[nodiscard]] inline double step(double transfer, double work, double latency, double chunks) {
  return std::max(std::max(transfer, work), (transfer + work) / chunks + latency);
}

// Everything that a formula needs, in seconds, of all bytes of the message.
struct Times {
  // Helpers share a `part` of the message at a time, in which a rank has so many `pieces` to work
  // on at once. None where `speedup` is 1.
  Times(const Facts& facts, const Speeds& speeds, double chunks_in, double speedup, double part,
        double pieces)
      : bytes(static_cast<double>(facts.bytes)),
        ranks(facts.ranks),
        chunks(chunks_in),
        latency(facts.network.latency),
        wire(bytes / (speeds.ratio * facts.network.bandwidth)),
        encode_alone(bytes * speeds.encode),
        decode_alone(bytes * speeds.decode),
        encode(encode_alone),
        decode(decode_alone),
        merge(bytes * speeds.merge),
        combine(bytes * speeds.combine),
        frames(chunks_in * frame_seconds(facts.network)) {
    const auto bytes_at_once = static_cast<std::size_t>(bytes * part);
    const double helped = std::min(coding_speedup_of_call(speedup, bytes_at_once), pieces);
    const double moving = core_seconds_per_byte(latency) * bytes / speeds.ratio;
    encode = together(encode, moving, helped);
    decode = together(decode, moving, helped);
    if (!speeds.merges_together) return;
    merge = together(merge, 2 * moving, helped);
    combine = together(combine, 2 * moving, helped);
  }

  // Of one piece, whose frames share messages with those of others.
  [[nodiscard]] double frames_sharing(double per_message) const {
    return chunks * frame_seconds({latency, 0}, per_message);
  }

  double bytes;
  double ranks;
  double chunks;
  double latency;
  double wire;
  double encode_alone;  // the first piece, before there are others
  double decode_alone;  // the last
  double encode;
  double decode;
  double merge;
  double combine;
  double frames;  // of one piece
};

}  // namespace tightwire::policy
