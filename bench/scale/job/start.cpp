#include "scale/job/start.h"

#include "collective/transfer/background.h"
#include "mpi/communicator/communicator_state.h"
#include "mpi/communicator/private/world.h"
#include "mpi/device/collectives.h"
#include "p2p/lifecycle.h"
#include "runtime/runtime.h"

namespace tightwire::scale {
void start() {
  runtime::start();
  mpi::open_private_world();
  mpi::agree_on_devices();
  p2p::start();
}

void finish() {
  p2p::finish();
  runtime::finish();
  mpi::release_world();
  mpi::close_private_world();
}

}  // namespace tightwire::scale
