#include "mpi/progress/collective_request.h"

#include "mpi/error.h"

namespace tightwire::mpi {

void CollectiveRequest::begun(int code) {
  if (code != MPI_SUCCESS) request_ = MPI_REQUEST_NULL;
  check(code);
  over_.store(false, std::memory_order_release);
}

// Nothing is touched any more once it is known to be over.
bool CollectiveRequest::test() {
  if (over_.load(std::memory_order_acquire)) return true;
  if (testing_.test_and_set(std::memory_order_acquire)) return false;
  int done = 0;
  const int code = PMPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  testing_.clear(std::memory_order_release);
  check(code);
  if (done != 0) over_.store(true, std::memory_order_release);
  return done != 0;
}

void CollectiveRequest::wait() noexcept {
  if (request_ != MPI_REQUEST_NULL) PMPI_Wait(&request_, MPI_STATUS_IGNORE);
}

}  // namespace tightwire::mpi
