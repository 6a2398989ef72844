// Requests of calls with buffers on a device: their images stay until MPI is done with them.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "interpose/staging/staged_call.h"

namespace tightwire::staging {

// By their handles. Thread safe. May throw std::bad_alloc.
class Requests {
 public:
  using Found = std::shared_ptr<StagedCall>;

  // In the place of what had the handle before.
  void keep(MPI_Request request, StagedCall&& call);
  void keep(MPI_Request request, const Found& call);
  [[nodiscard]] Found find(MPI_Request request);
  Found take(MPI_Request request);
  [[nodiscard]] bool any() const { return number_.load(std::memory_order_relaxed) > 0; }

 private:
  std::mutex mutex_;
  std::map<MPI_Request, Found> calls_;
  std::atomic<std::size_t> number_{0};
};

[[nodiscard]] Requests& requests();

// Around a call that completes some of the program's requests.
class Completion {
 public:
  // Takes what the requests have: as soon as MPI completes one, another thread may get its handle.
  Completion(const char* function, int count, const MPI_Request* handles);

  // Room for what the call tells, where the program does not want to know it.
  [[nodiscard]] MPI_Status* statuses(MPI_Status* given);

  // After the call has returned `code`: which ones it has completed. They return what the program
  // gets.
  int all(int code, int flag = 1);
  int one(int code, int index, int flag = 1);
  int some(int code, int count, const int* indices);

 private:
  [[nodiscard]] bool none() const { return found_.empty(); }
  int complete(std::size_t index, const MPI_Status& status);
  int keep_rest(int code);

  const char* function_;
  const MPI_Request* now_;              // the program's array
  std::vector<MPI_Request> handles_;    // as it was before the call
  std::vector<Requests::Found> found_;  // one for each handle, or none at all
  std::vector<MPI_Status> own_;
  const MPI_Status* statuses_ = nullptr;
};

// Before MPI_Start and MPI_Startall: the values of now are what is sent.
int fetch_again(const char* function, int count, const MPI_Request* handles);
// After MPI_Request_get_status: the program may read what came.
int put_early(MPI_Request request, int code, int flag, const MPI_Status& status);
// Instead of MPI_Request_free, where MPI still reads or writes images of the request.
[[nodiscard]] bool outlives(MPI_Request* request);
// Gives the program what has come of receives that it has freed.
void look_at_freed();
// At the end: sends are waited for, as MPI does; what has not come by then never will.
void finish_freed();
[[nodiscard]] int get_status(MPI_Request request, int* complete, MPI_Status* status);

}  // namespace tightwire::staging
