// MessageHandles of our own that follow a frame, on the private communicator. They leave on their
// own: nobody waits for them but MPI_Finalize.
#pragma once

#include <mpi.h>

#include <list>
#include <mutex>
#include <span>

#include "mpi/buffer_pool.h"

namespace tightwire::p2p {

class DeferredSends {
 public:
  // Copies `bytes` and sends them. Throws MpiError, std::bad_alloc.
  void post(std::span<const std::byte> bytes, int world_rank, int tag);

  // Gives back the memory of what has left.
  void reap();
  // Collective over the private communicator: waits until all has left everywhere, and throws away
  // what came for receives that failed.
  void drain();

 private:
  struct Letter {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::BufferPool::Lease memory;
  };

  void reap_locked();

  std::mutex mutex_;
  std::list<Letter> letters_;
};

}  // namespace tightwire::p2p
