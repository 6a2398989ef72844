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
#include <vector>

#include "mpi/buffer_pool.h"
#include "p2p/state/paced_look.h"

namespace tightwire::p2p {

class DeferredSends {
 public:
  // Copies `bytes` and sends them; `under_way` is true from then until they have left. Throws
  // MpiError, std::bad_alloc.
  enum class Ends : bool { when_sent, when_received };
  void post(std::span<const std::byte> bytes, int world_rank, int tag, Ends ends = Ends::when_sent,
            std::atomic<bool>* under_way = nullptr);

  // Gives back the memory of what has left, at a cost that does not grow with what has not.
  void reap();
  // The same now, whatever it costs: for who waits for it.
  void progress();
  // Collective over the private communicator: waits until all has left everywhere, and throws away
  // what came for receives that failed. `progress_others` moves on what else must come to its end.
  void drain(const std::function<void()>& progress_others);

 private:
  struct Send {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::BufferPool::Lease memory;
    std::atomic<bool>* under_way = nullptr;
  };

  // With the mutex held.
  void look();
  void test_together();

  std::mutex mutex_;
  PacedLook<> paced_;
  std::list<Send> sends_;
  // For the time of a look.
  std::vector<MPI_Request> requests_;
  std::vector<int> places_;
};

[[nodiscard]] DeferredSends& deferred_sends();

}  // namespace tightwire::p2p
