// The program's requests that tightwire has a part in, by their handles.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "mpi/error.h"
#include "p2p/request/request.h"
#include "p2p/state/paced_look.h"

namespace tightwire::p2p {

// Thread safe; requests are not.
class RequestTable {
 public:
  // Of these or of abandoned receives. Costs one relaxed load.
  [[nodiscard]] bool any() const { return size_.load(std::memory_order_relaxed) != 0; }
  // Another one, and never 0, after each change: what find() says may have changed.
  [[nodiscard]] std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

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
  // Decodes what abandoned receives have received, and gives back the memory of abandoned sends: of
  // a few, since the cost of a send must not grow with what waits for a late receiver. Without
  // memory to decode the job ends.
  void reap();
  [[nodiscard]] bool any_abandoned() const {
    return any_abandoned_.load(std::memory_order_relaxed);
  }
  // Waits for abandoned sends; receives that nothing ever matched are given up.
  void drain();

 private:
  using Abandoned = std::list<std::shared_ptr<Request>>;
  struct LookedAt {
    Abandoned receives;
    Abandoned sends;
    bool looks_at_sends = false;
  };
  [[nodiscard]] LookedAt take_abandoned();
  void put_back(LookedAt& looked_at);
  // With the mutex held.
  void count();
  // The same, after another request than before may have a handle.
  void changed();

  mutable std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  std::atomic<bool> any_abandoned_{false};
  std::atomic<std::uint64_t> version_{1};
  std::unordered_map<MPI_Request, std::shared_ptr<Request>> table_;
  Abandoned receives_;
  Abandoned sends_;
  PacedLook<> paced_;  // at sends_
};

[[nodiscard]] RequestTable& request_table();

// What a thread knows of the handles that it looked up before, so that polling them costs neither a
// lock nor a search. Holds until the table changes.
class KnownRequests {
 public:
  // As RequestTable::find().
  [[nodiscard]] Request* find(MPI_Request handle);
  // The same of each handle of a list. Valid until the next call.
  [[nodiscard]] std::span<Request* const> find(std::span<const MPI_Request> handles);

 private:
  struct Known {
    MPI_Request handle = MPI_REQUEST_NULL;
    Request* request = nullptr;
    std::uint64_t version = 0;
  };
  static constexpr std::size_t places = 1024;

  std::array<Known, places> singles_{};
  std::vector<MPI_Request> handles_;
  std::vector<Request*> requests_;
  std::uint64_t version_ = 0;
};

// Of this thread.
[[nodiscard]] KnownRequests& known_requests();

// As RequestTable::find(), by what this thread knows if there is memory for that.
[[nodiscard]] Request* find_request(MPI_Request handle);

}  // namespace tightwire::p2p
