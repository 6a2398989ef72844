#include "mpi/network_memory.h"

#include <array>
#include <mutex>

namespace tightwire::mpi {
namespace {

class Remembered {
 public:
  policy::Network get() {
    const std::lock_guard lock(mutex_);
    return network_;
  }
  void set(const policy::Network& network) {
    const std::lock_guard lock(mutex_);
    network_ = network;
  }

 private:
  std::mutex mutex_;
  policy::Network network_;
};

Remembered& remembered() {
  static Remembered network;
  return network;
}

}  // namespace

policy::Network own_remembered_network() {
  return remembered().get();
}

policy::Network remembered_network(const Participants& participants) {
  const policy::Network own = own_remembered_network();
  std::array<double, 2> all{-own.latency, own.bandwidth};
  participants.agree(all, MPI_MIN);
  return {-all[0], all[1]};
}

void remember_network(const policy::Network& network) {
  remembered().set(network);
}

}  // namespace tightwire::mpi
