#include "p2p/state/channel.h"

#include "mpi/communicator/private_copy.h"
#include "mpi/communicator/private_world.h"
#include "p2p/state/process_wide.h"

namespace tightwire::p2p {
namespace {

std::uint32_t tag_upper_bound() {
  void* value = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&value), &found);
  return found != 0 ? static_cast<std::uint32_t>(*static_cast<int*>(value)) : 32767;
}

}  // namespace

Channel& channel() {
  return process_wide<Channel>();
}

bool Channel::open() {
  comm_ = mpi::private_copy_if_possible(mpi::private_world());
  largest_tag_ = tag_upper_bound();
  return comm_ != MPI_COMM_NULL;
}

void Channel::close() {
  PMPI_Comm_free(&comm_);
}

}  // namespace tightwire::p2p
