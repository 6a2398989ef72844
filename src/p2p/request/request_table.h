// The program's requests that tightwire has a part in, by their handles.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "mpi/error.h"
#include "p2p/request/request.h"

namespace tightwire::p2p {

// Thread safe; requests are not.
class RequestTable {
 public:
  // Costs one relaxed load.
  [[nodiscard]] bool any() const { return size_.load(std::memory_order_relaxed) != 0; }

  // MPI has the request of `call` already: without memory to keep it the job ends.
  void insert(MPI_Request handle, std::shared_ptr<Request> request, const mpi::CallName& call,
              MPI_Comm comm);
  // nullptr for requests that are MPI's alone.
  [[nodiscard]] Request* find(MPI_Request handle) const;
  // For where another thread may complete and free the request while this one still works on it.
  [[nodiscard]] std::shared_ptr<Request> share(MPI_Request handle) const;
  // Before MPI frees the handle, since it may give it out again at once.
  [[nodiscard]] std::shared_ptr<Request> extract(MPI_Request handle);

  // The program has let go of it, but the transfer must come to its end. Without memory for that
  // the job ends.
  void abandon(std::shared_ptr<Request> request);
  // Gives back the memory of abandoned requests that are complete. Without memory to decode what
  // they received the job ends.
  void reap();
  // Waits for abandoned sends; receives that nothing ever matched are given up.
  void drain();

 private:
  [[nodiscard]] std::vector<std::shared_ptr<Request>> take_abandoned();
  // But for those that are no more.
  void put_back_abandoned(const std::vector<std::shared_ptr<Request>>& requests);

  mutable std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  std::unordered_map<MPI_Request, std::shared_ptr<Request>> table_;
  std::vector<std::shared_ptr<Request>> abandoned_;
};

[[nodiscard]] RequestTable& request_table();

}  // namespace tightwire::p2p
