// What is known of one send buffer of the program.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "early/dirty_fraction.h"
#include "early/encoding/codec_upgrade.h"
#include "early/encoding/encoded_chunk.h"
#include "early/tracking/tracker.h"
#include "early/tracking_trial.h"

namespace tightwire::early {

using Clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds(Clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

struct Chunk {
  std::size_t begin = 0;
  std::size_t size = 0;
  std::shared_ptr<EncodedChunk> ready;  // null: none
  Mark mark;                    // of the values that `ready` was made from, or that were last sent
  Activity seen = 0;            // by the helper, last time
  unsigned quiet = 0;           // how often running it has seen the same
  unsigned stale_in_a_row = 0;  // encodings kept from a send that were of no use to the next
};

// Everything but `values` is guarded by the mutex of the BufferRegistry that holds it.
struct Buffer {
  explicit Buffer(Bytes bytes, bool always) : values(bytes), trial(always) {}

  const Bytes values;
  codec::Encoding encoding;
  Path path;
  std::vector<Chunk> chunks;

  Tracker* tracker = nullptr;    // null: not tracked
  std::size_t next_tracker = 0;  // which to try next
  TrackingTrial trial;
  DirtyFraction dirty;

  std::uint64_t sends = 0;
  std::uint64_t generation =
      0;                       // of cut, encoding and tracker: what was made for another is dropped
  unsigned sending = 0;        // sends under way
  Clock::time_point last_end;  // of a send
  double gap = 0;              // usual time between sends, seconds; 0: not known
  unsigned quiet_needed = 1;   // how quiet a chunk must be for the helper to take it up
  double fault_seconds = 0;    // since the last send
  double look_seconds = 0;     // that the helper last took to look at all of it
  double strong_seconds = 0;   // that the helper last took for a chunk with the stronger codec
  Clock::time_point due;       // when the helper looks again

  // Tracked, or to be.
  [[nodiscard]] bool is_of_interest() const { return tracker != nullptr || trial.wants_tracking(); }
  [[nodiscard]] Bytes bytes_of(const Chunk& chunk) const {
    return values.subspan(chunk.begin, chunk.size);
  }
};

}  // namespace tightwire::early
