// How long a reduction over lanes takes (collective/multilane/), by the same model as cost.h.
#pragma once

#include "policy/cost/cost.h"

namespace tightwire::policy {

// Ranks that share hosts, where each carries a slice of a reduction across the network.
struct LaneFacts {
  int hosts = 2;
  int lanes = 2;      // slices
  int locals = 2;     // the most ranks on a host
  int crossings = 1;  // how often a ring of all ranks leaves a host, at most
};

// Of a Reduce or Reduce_scatter over lanes: the ranks of a host add up what they have, then rings
// of one rank per host, side by side on the hosts' links, do the rest. `facts` are those of all
// ranks, with the bandwidth that each gets in a ring of all.
[[nodiscard]] double lane_seconds(const Facts& facts, const LaneFacts& lanes, const Speeds& speeds,
                                  std::size_t chunks);

}  // namespace tightwire::policy
