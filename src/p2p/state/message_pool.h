// The memory of all messages on their way.
#pragma once

#include "mpi/buffer_pool.h"
#include "p2p/state/process_wide.h"

namespace tightwire::p2p {

[[nodiscard]] inline mpi::BufferPool& message_pool() {
  return process_wide<mpi::BufferPool>();
}

}  // namespace tightwire::p2p
