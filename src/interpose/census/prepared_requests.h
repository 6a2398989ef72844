// What persistent requests were made with, by their handles.
#pragma once

#include <mpi.h>

#include <map>
#include <mutex>
#include <optional>

namespace tightwire::census {

// Thread safe. May throw std::bad_alloc.
template <class Call>
class PreparedRequests {
 public:
  // In the place of what had the handle before.
  void keep(MPI_Request request, const Call& call) {
    const std::scoped_lock lock(mutex_);
    calls_.insert_or_assign(request, call);
  }
  void forget(MPI_Request request) {
    const std::scoped_lock lock(mutex_);
    calls_.erase(request);
  }
  [[nodiscard]] std::optional<Call> find(MPI_Request request) {
    const std::scoped_lock lock(mutex_);
    const auto found = calls_.find(request);
    return found == calls_.end() ? std::nullopt : std::optional<Call>(found->second);
  }
  void clear() {
    const std::scoped_lock lock(mutex_);
    calls_.clear();
  }

 private:
  std::mutex mutex_;
  std::map<MPI_Request, Call> calls_;
};

}  // namespace tightwire::census
