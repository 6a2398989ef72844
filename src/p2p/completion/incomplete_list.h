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

  // Whether that list still has a request that is not complete, as far as a quick look tells; and
  // whether one has failed meanwhile. Moves it on. Throws MpiError, std::bad_alloc.
  struct Look {
    bool is_incomplete = false;
    bool has_failed = false;
  };
  [[nodiscard]] Look look(std::span<MPI_Request> handles);

 private:
  struct Member {
    Request* request;
    std::size_t place;
  };
  struct List {
    std::uint64_t version = 0;  // of the table of requests; 0: nothing is remembered
    std::vector<MPI_Request> handles;
    // Those that may be incomplete.
    std::vector<Member> busy;  // have work of ours to do
    std::vector<Member> idle;  // wait for MPI alone
    std::size_t next_idle = 0;
  };
  [[nodiscard]] bool is_same(std::span<const MPI_Request> handles) const;
  [[nodiscard]] static bool has_busy(List& list, std::span<MPI_Request> handles, Look& look);
  [[nodiscard]] static bool has_idle(List& list, std::span<MPI_Request> handles, Look& look);

  List list_;
};

// Of this thread.
[[nodiscard]] IncompleteList& incomplete_list();

}  // namespace tightwire::p2p
