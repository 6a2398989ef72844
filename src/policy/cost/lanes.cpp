#include "policy/cost/lanes.h"

#include <algorithm>
#include <limits>

#include "policy/cost/helpers.h"

namespace tightwire::policy {

double lane_seconds(const Facts& facts, const LaneFacts& lanes, const Speeds& speeds,
                    std::size_t chunks) {
  const double bytes = static_cast<double>(facts.bytes);
  const double own = 1.0 / lanes.locals;
  // Helpers share the chunks of one slice at a time.
  const auto slice = static_cast<std::size_t>(bytes / (lanes.hosts * lanes.lanes));
  const double helped =
      std::min(coding_speedup_of_call(facts.coding_speedup, slice), static_cast<double>(chunks));
  const double moving = core_seconds_per_byte(facts.network.latency) * bytes / speeds.ratio;
  const double encode = together(bytes * speeds.encode, moving, helped);
  const double merge =
      together(bytes * speeds.merge, 2 * moving, speeds.merges_together ? helped : 1);
  const double frames = lanes.hosts * lanes.locals * static_cast<double>(chunks);
  // Handed on by memory; the ranks of hosts that talk over TCP are woken for each.
  constexpr double of_frame = 5e-6;
  const double of_frames_inside = frames * beside_bytes(of_frame, facts.network.latency);
  const double inside = own * encode + (1 - own) * merge + of_frames_inside;
  // What is added on a lane are frames, made inside the host.
  Speeds of_frames = speeds;
  of_frames.encode = 0;
  of_frames.merge = speeds.combine;
  Facts of_lane = facts;
  of_lane.bytes = static_cast<std::size_t>(bytes / lanes.lanes);
  of_lane.ranks = lanes.hosts;
  of_lane.network.bandwidth *= static_cast<double>(lanes.crossings) / lanes.lanes;
  const double on_lane = compressed_seconds(of_lane, of_frames, Algorithm::ring, chunks);
  of_lane.network.bandwidth = std::numeric_limits<double>::infinity();
  const double coding = compressed_seconds(of_lane, of_frames, Algorithm::ring, chunks);
  // While one segment is on its way the next is added up inside the host, by the same cores.
  const double first = inside / lanes.hosts;
  return first + std::max(on_lane, inside - first + coding);
}

}  // namespace tightwire::policy
