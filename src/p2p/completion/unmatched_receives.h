// Receives that nothing ever matches. With one of them in its list MPI_Testall moves all other
// requests of the list on and completes none: MPICH looks after some generalised requests, those of
// its files, nowhere but in calls that may complete them.
#pragma once

#include <mpi.h>

#include <mutex>
#include <vector>

namespace tightwire::p2p {

// Thread safe; a receive is in one list at a time.
class UnmatchedReceives {
 public:
  // Throws MpiError.
  [[nodiscard]] MPI_Request take();
  void put_back(MPI_Request receive);
  // Before MPI is finalised.
  void cancel();

 private:
  std::mutex mutex_;
  std::vector<MPI_Request> idle_;
};

[[nodiscard]] UnmatchedReceives& unmatched_receives();

}  // namespace tightwire::p2p
