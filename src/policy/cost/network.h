// The network between hosts, as one rank gets it.
#pragma once

namespace tightwire::policy {

struct Network {
  double latency = 0;    // seconds from a rank to another, for a few bytes
  double bandwidth = 0;  // bytes per second in each direction; 0: not known
  bool rough = false;    // told by calls that were adding or latency for the most part
  // Other ranks take turns on the cores that messages come from or go to.
  bool ends_share_cores = false;

  [[nodiscard]] bool known() const { return bandwidth > 0; }
};

// The part in what TCP takes of the two ends that a network of such latency has: nearly all of a
// latency is the ends' as well. 0 is not known.
[[nodiscard]] constexpr double part_of_tcp(double latency) {
  constexpr double latency_of_tcp = 10e-6;
  return latency <= 0 || latency >= latency_of_tcp ? 1 : latency / latency_of_tcp;
}

// What a byte on the wire takes of a core at either end: over TCP by measurement
// (docs/dev/performance.md).
[[nodiscard]] constexpr double core_seconds_per_byte(double latency) {
  constexpr double over_tcp = 0.35e-9;
  return over_tcp * part_of_tcp(latency);
}

// What takes so long over TCP, beside the bytes of a message, takes less on a network of less
// latency. But a codec has its start, and a frame its header.
inline constexpr double least_beside_bytes = 1e-6;
[[nodiscard]] constexpr double beside_bytes(double over_tcp, double latency) {
  constexpr double least = least_beside_bytes;
  if (over_tcp <= least) return over_tcp;
  return least + (over_tcp - least) * part_of_tcp(latency);
}

// Of a frame, beside its bytes: two MPI calls, a header, the start of a codec, over TCP by
// measurement (docs/dev/performance.md). Of a network of less latency each call takes less, and no
// rank is woken for it. The calls are of all frames that share a message.
[[nodiscard]] constexpr double frame_seconds(const Network& network, double per_message = 1) {
  constexpr double over_tcp = 10e-6;
  constexpr double own = least_beside_bytes;
  const double part = part_of_tcp(network.latency);
  return own + (over_tcp - own) * part * part / per_message;
}

// A long message leaves only once its receiver has asked for it, and one that is coding asks late.
// From where on and how long over TCP, of MPICH by measurement; other libraries have other limits.
// Plain messages wait as long, so that it is no matter of whether compression pays. Of several
// that are on their way one after the other the first one waits; where ranks share cores all do,
// since each time both ends have to get theirs, and what is not asked for takes a turn as well.
[[nodiscard]] constexpr double asking_seconds(const Network& network, double message_bytes,
                                              double messages = 1) {
  constexpr double longest_unasked = 18 << 10;
  constexpr double over_tcp = 60e-6;
  constexpr double turn = 13e-6;
  const bool is_asked_for = message_bytes > longest_unasked;
  const double part = part_of_tcp(network.latency);
  if (!network.ends_share_cores) return is_asked_for ? over_tcp * part * part : 0;
  return (is_asked_for ? over_tcp : turn) * part * part * messages;
}

// Of the kind where compression pays, for where nothing may be measured.
inline constexpr Network assumed_network{20e-6, 125e6};
// What pays on this one pays on most: for calls of which nothing can be measured.
inline constexpr Network fast_network{20e-6, 1.25e9};

}  // namespace tightwire::policy
