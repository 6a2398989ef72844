#include "collective/move/partners.h"

#include "mpi/device/coded_buffer.h"

namespace tightwire::collective {

std::vector<Partners> partners_of_root(const RootedMessage& message,
                                       const mpi::Communicator& communicator) {
  const bool is_root = communicator.rank == message.root;
  std::vector<Partners> steps;
  const auto add = [&](int other, const mpi::Buffer& block) {
    steps.push_back(is_root == message.to_root ? Partners{MPI_PROC_NULL, {}, other, block}
                                               : Partners{other, block, MPI_PROC_NULL, {}});
  };
  if (!is_root) add(message.root, message.own);
  for (int step = 1; is_root && step < communicator.size; ++step) {
    const int other = (message.root + step) % communicator.size;
    add(other, message.all.of(other));
  }
  return steps;
}

void check_sent(const std::vector<Partners>& steps) {
  for (const Partners& partners : steps) mpi::fetch_left(partners.send);
}

}  // namespace tightwire::collective
