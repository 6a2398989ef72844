// A list of requests that MPI_Testall has found incomplete, in case that it is tested again at
// once.
//
// Programs poll long lists. To see that one is still incomplete it is enough to find one request
// that is. So each time only a few are looked at, in turns, and all of those that have work of ours
// to do. Lists with requests that are not ours are not remembered.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "p2p/completion/request_list.h"

namespace tightwire::p2p {

class IncompleteList {
 public:
  // After MPI_Testall has left it as it was.
  void remember(const RequestList& list, std::span<const MPI_Request> handles);

  // Whether that list still has a request that is not complete, as far as a quick look tells. Moves
  // it on. Throws MpiError, std::bad_alloc.
  [[nodiscard]] bool is_still(std::span<const MPI_Request> handles);

 private:
  [[nodiscard]] bool is_same(std::span<const MPI_Request> handles) const;
  [[nodiscard]] bool has_busy();
  [[nodiscard]] bool has_idle();

  // MPI may call the program, whose callbacks may poll lists of their own: those are looked
  // through.
  bool looking_ = false;
  std::uint64_t version_ = 0;  // of the table of requests; 0: nothing is remembered
  std::vector<MPI_Request> handles_;
  // Those that may be incomplete.
  std::vector<Request*> busy_;  // have work of ours to do
  std::vector<Request*> idle_;  // wait for MPI alone
  std::size_t next_idle_ = 0;
};

// Of this thread.
[[nodiscard]] IncompleteList& incomplete_list();

}  // namespace tightwire::p2p
