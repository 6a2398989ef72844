// Persistent receives too short for a frame. MPI starts and completes them alone, as long as no
// message that one of them should match has been taken in and none shares memory with a pending
// receive: what is kept here is what it takes to find that out at a start.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "mpi/call.h"
#include "mpi/communicator/route.h"
#include "p2p/request/receive_request.h"

namespace tightwire::p2p {

// Thread safe.
class ShortReceives {
 public:
  // The program may free the communicator before the request.
  struct Kept {
    ReceiveCall call;
    std::size_t bytes;
    std::shared_ptr<const mpi::Route> route;
  };

  // Costs one relaxed load.
  [[nodiscard]] bool any() const { return size_.load(std::memory_order_relaxed) != 0; }
  // MPI has made the request already: without memory to keep it the job ends.
  void insert(MPI_Request handle, const ReceiveCall& call, const mpi::CallName& name);
  [[nodiscard]] std::optional<Kept> find(MPI_Request handle) const;
  // Before MPI frees the handle, since it may give it out again at once.
  void erase(MPI_Request handle);

 private:
  mutable std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  std::unordered_map<MPI_Request, Kept> kept_;
};

[[nodiscard]] ShortReceives& short_receives();

}  // namespace tightwire::p2p
