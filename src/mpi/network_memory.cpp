#include "mpi/network_memory.h"

#include <array>

#include "runtime/runtime.h"

namespace tightwire::mpi {

policy::Network own_remembered_network() {
  return runtime::current().lessons.network();
}

policy::Network remembered_network(const Participants& participants) {
  const policy::Network own = own_remembered_network();
  std::array<double, 3> all{-own.latency, own.bandwidth, own.rough ? -1.0 : 0.0};
  participants.agree(all, MPI_MIN);
  return {-all[0], all[1], all[2] < 0};
}

void remember_network(const policy::Network& network) {
  runtime::current().lessons.set_network(network);
}

}  // namespace tightwire::mpi
