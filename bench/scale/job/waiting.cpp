// Waits of simulated ranks are MPI's own, which give the turn to the next rank until there is
// something to see: all ranks take turns in one thread, so that looks again and again would each be
// a turn, and real naps would look to the others as if someone wanted their core. This stands for
// os/waiting/spin_then_sleep.cpp, which is not linked.
#include <mpi.h>
#include <smpi/smpi_helpers_internal.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "mpi/progress/wait.h"
#include "os/waiting/core_share.h"

namespace tightwire {
namespace {

constexpr long pause_nanoseconds = 1000;

// Requests that have been looked at, by where they are kept. No look finds one complete but after a
// pause: a program that looked by itself, and never waited, would see none.
std::vector<MPI_Request*> looked_at;

// One of them that a pause has completed. Its next look finds that.
struct Completed {
  MPI_Request* place = nullptr;
  MPI_Request left = MPI_REQUEST_NULL;
  MPI_Status status{};
};
Completed completed;

bool is_completed(MPI_Request* request, MPI_Status* status) {
  if (request != completed.place) return false;
  *request = completed.left;
  if (status != MPI_STATUS_IGNORE) *status = completed.status;
  completed = {};
  return true;
}

}  // namespace

namespace mpi {

int wait(MPI_Request* request, MPI_Status* status, os::SpinThenSleep::Naps /*naps*/) {
  std::erase(looked_at, request);
  return is_completed(request, status) ? MPI_SUCCESS : PMPI_Wait(request, status);
}

// SMPI's own look would keep what it finds complete in a list, which it goes over for each message.
int test(MPI_Request* request, int* done, MPI_Status* status) {
  std::erase(looked_at, request);
  *done = is_completed(request, status) ? 1 : 0;
  if (*done == 0) looked_at.push_back(request);
  return MPI_SUCCESS;
}

}  // namespace mpi

namespace os {

// No rank takes another one's core here.
bool core_is_shared() {
  return false;
}

// Until one of those that were looked at is complete. Whoever waits for something else looks again
// after a while of simulated time.
void SpinThenSleep::pause() {
  if (looked_at.empty()) {
    const std::timespec time{0, pause_nanoseconds};
    smpi_nanosleep(&time, nullptr);
    return;
  }
  std::vector<MPI_Request> requests(looked_at.size());
  std::ranges::transform(looked_at, requests.begin(),
                         [](const MPI_Request* place) { return *place; });
  int index = MPI_UNDEFINED;
  MPI_Status status{};
  PMPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, &status);
  const auto found = static_cast<std::size_t>(index);
  completed = {looked_at[found], requests[found], status};
  looked_at.clear();
}

}  // namespace os
}  // namespace tightwire
