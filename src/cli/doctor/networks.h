// The networks of this machine, as the kernel names them under /sys/class.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tightwire::cli {

struct Network {
  std::string name;            // "eth0", "mlx5_0 port 1"
  bool infiniband = false;     // or another fabric with verbs: MPI takes it before Ethernet
  std::optional<double> gbps;  // as it says of itself; a virtual one often does not
};

// Those that are up, but for the loopback, the fastest kind first and then the fastest. `classes`
// is /sys/class.
[[nodiscard]] std::vector<Network> networks_in(const std::string& classes);

// Which of them MPI would take by itself, how fast it is, and what follows for Tightwire.
[[nodiscard]] std::string describe(const std::vector<Network>& networks);

}  // namespace tightwire::cli
