#include "policy/cost/handing_on.h"

#include <algorithm>
#include <cmath>

#include "policy/cost/helpers.h"
#include "policy/cost/network.h"

namespace tightwire::policy {
namespace {

// What a rank decodes before it hands a chunk on, in chunks: those that came before it, of many so
// many by simulation (docs/dev/performance.md).
double decoded_before(std::size_t chunks) {
  constexpr double of_many = 3;
  return std::min(of_many, static_cast<double>(chunks) - 1);
}

// What is on its way beside it, in chunks.
double under_way_beside(double frame_bytes, std::size_t chunks) {
  const double enough = std::ceil(static_cast<double>(most_bytes_under_way) / frame_bytes);
  const double most = std::max(enough, static_cast<double>(most_under_way));
  return std::min(most, static_cast<double>(chunks)) - 1;
}

// Frames that MPI takes at once, wherever they are: as many go together as have come by then. Few
// of few chunks, by simulation (docs/dev/performance.md).
double at_once(double frame_bytes, std::size_t chunks) {
  constexpr double taken_at_once = 64 << 10;
  constexpr double of_many = 10;
  const double of_these = static_cast<double>(chunks) / 32;
  return frame_bytes < taken_at_once ? std::clamp(of_these, 1.0, of_many) : 1;
}

double bytes_of_chunk(const Facts& facts, std::size_t chunks) {
  return static_cast<double>(facts.bytes) / static_cast<double>(chunks);
}

double transfer_of_chunk(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  const double frame = bytes_of_chunk(facts, chunks) / speeds.ratio;
  return frame / facts.network.bandwidth + frame_seconds(facts.network);
}

// Helpers work on several chunks at once; what moves is the calling thread's.
double work_on_chunk(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  const double bytes = bytes_of_chunk(facts, chunks);
  const double frame = bytes / speeds.ratio;
  const double coding = std::max(speeds.encode, speeds.decode) * bytes;
  const double moving = core_seconds_per_byte(facts.network.latency) * frame;
  const double helped = std::min(facts.coding_speedup, static_cast<double>(chunks));
  return together(coding, moving, helped) + frame_seconds(facts.network);
}

}  // namespace

HandedOn handed_on(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  const double transfer = transfer_of_chunk(facts, speeds, chunks);
  const double bytes = bytes_of_chunk(facts, chunks);
  const double decoding = decoded_before(chunks) * speeds.decode * bytes;
  const double beside = under_way_beside(bytes / speeds.ratio, chunks) * transfer;
  const bool is_left_to_helpers = facts.coding_speedup >= speedup_of_enough_helpers;
  const double waits = is_left_to_helpers ? std::min(decoding, beside) : decoding;
  return {chunks, (facts.network.latency + waits) / transfer,
          work_on_chunk(facts, speeds, chunks) / transfer, at_once(bytes / speeds.ratio, chunks)};
}

double along_tree_seconds(const Facts& facts, const Speeds& speeds, std::size_t chunks) {
  const double all = transfer_of_chunk(facts, speeds, chunks) * static_cast<double>(chunks);
  return facts.network.latency +
         all * transfers_along_tree(facts.ranks_of_tree(), handed_on(facts, speeds, chunks));
}

}  // namespace tightwire::policy
