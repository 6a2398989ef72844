// The program's requests that tightwire has a part in, by their handles.
//
// A handle that the program holds is always one of MPI's: that of the transfer itself, or for a
// persistent request the one that MPI made, while the transfer has another.
#pragma once

#include <mpi.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "mpi/error.h"
#include "p2p/partitioned/partitioned.h"
#include "p2p/transfer/incoming.h"
#include "p2p/transfer/outgoing.h"

namespace tightwire::p2p {

struct Request {
  MPI_Request transfer = MPI_REQUEST_NULL;
  std::optional<Incoming> incoming;
  std::optional<Outgoing> outgoing;
  // Instead of both; MPI's transfer is of its header.
  std::shared_ptr<Partitioned> partitioned;
  // A send that belongs to the same request of the program.
  std::unique_ptr<Request> companion;
  // What the send reads from, where that is no memory of the program.
  mpi::BufferPool::Lease copy;
  // Persistent requests: begins a transfer. They are inactive between transfers.
  std::function<int(Request&)> start;
  bool active = true;
  // MPI keeps the transfer's handle, as of a persistent request: free it when complete.
  bool free_after = false;
  // What came of the transfer, once known, though MPI may still hold it.
  std::optional<mpi::Outcome> outcome;
  // The transfer is complete, but chunks of the message are still to come.
  bool streaming = false;

  [[nodiscard]] bool persistent() const { return static_cast<bool>(start); }
  [[nodiscard]] bool receives() const {
    return incoming.has_value() || (partitioned != nullptr && partitioned->receives());
  }

  // Whether the request is complete; never waits for long.
  [[nodiscard]] bool poll();
  // Waits for completion, or after poll() collects what came of it. MPI forgets the transfer.
  [[nodiscard]] mpi::Outcome wait();

 private:
  // The transfer is complete, though MPI may still hold it.
  void land(const MPI_Status& lead);
  bool poll_partitions();
  // With `wait` always true.
  bool settle(bool wait);
  [[nodiscard]] mpi::Outcome wait_for_transfer();
  mpi::Outcome release(const mpi::Outcome& known);
};

// Thread safe; but a request is only worked on by the thread that the program completes it in,
// partitioned ones apart.
class Requests {
 public:
  // Costs one relaxed load.
  [[nodiscard]] bool any() const { return size_.load(std::memory_order_relaxed) != 0; }

  // The room of the receives that are under way, but for those of persistent requests.
  [[nodiscard]] std::size_t expected_bytes() const {
    return expected_.load(std::memory_order_relaxed);
  }

  // MPI has the request of `call` already: without memory to keep it the job ends.
  void insert(MPI_Request handle, std::unique_ptr<Request> request, const mpi::CallName& call,
              MPI_Comm comm);
  // nullptr for requests that are MPI's alone.
  [[nodiscard]] Request* find(MPI_Request handle) const;
  // nullptr for all but partitioned requests of ours. Another thread may complete and free the
  // request while this one still works on it.
  [[nodiscard]] std::shared_ptr<Partitioned> partitioned(MPI_Request handle) const;
  // Before MPI frees the handle, since it may give it out again at once.
  [[nodiscard]] std::unique_ptr<Request> extract(MPI_Request handle);

  // The program has let go of it, but the transfer must come to its end. Without memory for that
  // the job ends.
  void abandon(std::unique_ptr<Request> request);
  // Gives back the memory of abandoned requests that are complete. Without memory to expand what
  // they received the job ends.
  void reap();
  // Waits for abandoned sends; receives that nothing ever matched are given up.
  void drain();

 private:
  mutable std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  std::atomic<std::size_t> expected_{0};
  std::unordered_map<MPI_Request, std::unique_ptr<Request>> table_;
  std::vector<std::unique_ptr<Request>> abandoned_;
};

}  // namespace tightwire::p2p
