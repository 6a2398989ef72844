// The network between hosts, as one rank gets it.
#pragma once

namespace tightwire::policy {

struct Network {
  double latency = 0;    // seconds from a rank to another, for a few bytes
  double bandwidth = 0;  // bytes per second in each direction; 0: not known

  [[nodiscard]] bool known() const { return bandwidth > 0; }
};

}  // namespace tightwire::policy
