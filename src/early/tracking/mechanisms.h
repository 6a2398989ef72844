// Which ways of tracking writes this system offers, and which are used.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "early/tracking/tracker.h"

namespace tightwire::early {

struct Offer {
  std::unique_ptr<Tracker> tracker;  // null if it is not offered
  std::string reason;                // why not
};

// Makes the tracker of a mechanism, if the system offers it.
[[nodiscard]] Offer offer(Mechanism mechanism);

// Why write protection alone cannot be relied on here, or empty: devices that write to memory past
// the page tables, in long standing registrations.
[[nodiscard]] std::string unseen_writers();

// What it costs.
struct Cost {
  double fault_seconds = 0;          // first write to a protected page
  double hash_seconds_per_byte = 0;  // reading a buffer to compare it
};
// Measured on memory of our own: some 200 microseconds. `guarded` may be null.
[[nodiscard]] Cost measure_cost(Tracker* guarded);

// Whether the faults of a program that writes to this share of a buffer's pages between two sends
// cost more than comparing the whole buffer at each send.
[[nodiscard]] bool too_dear(const Cost& cost, double share_written);

// In the order in which a buffer tries them; the last is always hash, unless another is asked for.
struct Trackers {
  std::array<std::unique_ptr<Tracker>, 2> all;  // the second may be null
  std::string because;
  Cost cost;  // of the first one
};
// `wanted` is nothing where the choice is ours.
[[nodiscard]] Trackers choose_trackers(std::optional<Mechanism> wanted);

}  // namespace tightwire::early
