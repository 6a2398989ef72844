// Messages of our own that follow a frame, on the private communicator. They leave on their own:
// nobody waits for them but MPI_Finalize.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <span>

#include "mpi/buffer_pool.h"

namespace tightwire::p2p {

class DeferredSends {
 public:
  // Copies `bytes` and sends them; `under_way` is true from then until they have left. Throws
  // MpiError, std::bad_alloc.
  enum class Ends : bool { when_sent, when_received };
  void post(std::span<const std::byte> bytes, int world_rank, int tag, Ends ends = Ends::when_sent,
            std::atomic<bool>* under_way = nullptr);

  // Gives back the memory of what has left, and looks at so many for that.
  void reap(std::size_t most = static_cast<std::size_t>(-1));
  // Collective over the private communicator: waits until all has left everywhere, and throws away
  // what came for receives that failed. `progress` moves on what else must come to its end.
  void drain(const std::function<void()>& progress);

 private:
  struct Send {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::BufferPool::Lease memory;
    std::atomic<bool>* under_way = nullptr;
  };

  // Looks at so many of them.
  void reap_locked(std::size_t most);

  std::mutex mutex_;
  std::list<Send> sends_;  // the next to be looked at in front
};

[[nodiscard]] DeferredSends& deferred_sends();

}  // namespace tightwire::p2p
