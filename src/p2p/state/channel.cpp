#include "p2p/state/channel.h"

#include "mpi/communicator/private/copy.h"
#include "mpi/communicator/private/world.h"
#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

Channel& channel() {
  return process_wide<Channel>();
}

bool Channel::open() {
  comm_ = mpi::private_copy_if_possible(mpi::private_world());
  largest_tag_ = static_cast<std::uint32_t>(mpi::largest_tag());
  return comm_ != MPI_COMM_NULL;
}

void Channel::close() {
  PMPI_Comm_free(&comm_);
}

}  // namespace tightwire::p2p
