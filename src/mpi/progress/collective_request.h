// A collective of MPI's that Tightwire has started for itself, and that is asked about until it is
// over.
#pragma once

#include <mpi.h>

#include <atomic>

namespace tightwire::mpi {

// What MPI reads and writes outlives it.
class CollectiveRequest {
 public:
  CollectiveRequest() = default;
  // Given up: MPI may still write.
  ~CollectiveRequest() { wait(); }
  CollectiveRequest(const CollectiveRequest&) = delete;
  CollectiveRequest& operator=(const CollectiveRequest&) = delete;

  // `start(MPI_Request*)` calls MPI's function. Before, nothing is under way. Throws MpiError.
  template <class Start>
  void begin(Start&& start) {
    begun(start(&request_));
  }

  // Whether it is over. Thread safe; MPI may come back here while it is asked. Throws MpiError.
  [[nodiscard]] bool test();
  // Not thread safe; no error is told of.
  void wait() noexcept;

 private:
  void begun(int code);

  MPI_Request request_ = MPI_REQUEST_NULL;
  std::atomic_flag testing_ = ATOMIC_FLAG_INIT;
  std::atomic<bool> over_{true};
};

}  // namespace tightwire::mpi
