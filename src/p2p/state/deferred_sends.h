// Messages of our own that follow a frame, on the private communicator. They leave on their own:
// nobody waits for them but MPI_Finalize.
//
// MPI, asked for what has left, may move a started collective on, which posts more (mpi/progress/
// mpi_progress.h): so nothing is locked while MPI is called.
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

  // Of all that had not left for any rank when somebody last looked.
  [[nodiscard]] std::size_t bytes_under_way() const { return bytes_; }

  // Gives back the memory of what has left, at a cost that does not grow with what has not.
  void reap();
  // The same now, whatever it costs: for who waits for it.
  void progress();
  // The same where no more than so many have not left: between two pieces of work, so that those
  // posted are on their way meanwhile. A look that moves bytes takes long, and is not to be paced.
  void progress_few(std::size_t most);
  // Collective over the private communicator: waits until all has left everywhere, and throws away
  // what came for receives that failed. `progress_others` moves on what else must come to its end,
  // and says whether something may come yet that is waited for: that is not thrown away.
  void drain(const std::function<bool()>& progress_others);

 private:
  struct Send {
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::BufferPool::Lease memory;
    std::atomic<bool>* under_way = nullptr;
  };

  // Does nothing where somebody looks already, in this thread or another.
  template <class Look>
  void alone(Look&& look);
  void look();
  void test_together(std::list<Send>& sends);

  std::mutex mutex_;
  std::list<Send> sends_;             // but those that are being looked at
  std::atomic<std::size_t> left_{0};  // of all of them
  std::atomic<std::size_t> bytes_{0};
  // Of who looks.
  std::atomic_flag looking_ = ATOMIC_FLAG_INIT;
  PacedLook<> paced_;
  std::vector<MPI_Request> requests_;
  std::vector<int> places_;
};

[[nodiscard]] DeferredSends& deferred_sends();

}  // namespace tightwire::p2p
