// Waits of simulated ranks are MPI's own, which give the turn to the next rank until there is
// something to see: all ranks take turns in one thread, so that looks again and again would each be
// a turn, and real naps would look to the others as if someone wanted their core. This stands for
// os/waiting/spin_then_sleep.cpp, which is not linked.
#include <mpi.h>
#include <smpi/smpi_helpers_internal.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include "mpi/progress/wait.h"
#include "os/waiting/core_share.h"

namespace tightwire {
namespace {

constexpr long pause_nanoseconds = 1000;

// Requests that have been looked at, by where they are kept. No look of a wait finds one complete
// but after a pause: a program that looked by itself, and never waited, would see none.
std::vector<MPI_Request*> looked_at;

// One of them that a pause has completed. Whoever paused looks at it before the next pause.
struct Completed {
  const MPI_Request* place = nullptr;
  MPI_Status status{};
};
Completed completed;

bool is_completed(const MPI_Request* request, MPI_Status* status) {
  if (request != completed.place) return false;
  if (status != MPI_STATUS_IGNORE) *status = completed.status;
  completed = {};
  return true;
}

// A message of this rank to itself, on its way. It is over when a look has taken its time, which
// goes by its size (MOMENT in bench/scale_job.py).
constexpr int bytes_of_a_moment = 3;
MPI_Request moment = MPI_REQUEST_NULL;

MPI_Request a_moment() {
  static const MPI_Comm own = [] {
    MPI_Comm made = MPI_COMM_NULL;
    PMPI_Comm_dup(MPI_COMM_SELF, &made);
    return made;
  }();
  static const std::array<char, bytes_of_a_moment> sent{};
  static std::array<char, bytes_of_a_moment> received{};
  if (moment == MPI_REQUEST_NULL) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(received.data(), bytes_of_a_moment, MPI_CHAR, 0, 0, own, &moment);
    PMPI_Isend(sent.data(), bytes_of_a_moment, MPI_CHAR, 0, 0, own, &request);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return moment;
}

}  // namespace

namespace mpi {

int wait(MPI_Request* request, MPI_Status* status, os::SpinThenSleep::Naps /*naps*/) {
  std::erase(looked_at, request);
  return is_completed(request, status) ? MPI_SUCCESS : PMPI_Wait(request, status);
}

// SMPI's own look would keep what it finds complete in a list, which it goes over for each message
// and each charge. What is waited for it does not: so for this message or the moment.
int look(MPI_Request* request, int* done, MPI_Status* status) {
  std::erase(looked_at, request);
  if (is_completed(request, status)) {
    *done = 1;
    return MPI_SUCCESS;
  }
  if (*request == MPI_REQUEST_NULL) return PMPI_Test(request, done, status);
  std::array<MPI_Request, 2> requests{*request, a_moment()};
  int index = MPI_UNDEFINED;
  const int code = PMPI_Waitany(2, requests.data(), &index, status);
  *request = requests[0];
  moment = requests[1];
  *done = index == 0 ? 1 : 0;
  return code;
}

// SMPI's own look would keep what it finds complete in a list, which it goes over for each message.
int test(MPI_Request* request, int* done, MPI_Status* status) {
  std::erase(looked_at, request);
  *done = is_completed(request, status) ? 1 : 0;
  if (*done == 0) looked_at.push_back(request);
  return MPI_SUCCESS;
}

void ends_pause(MPI_Request* request) {
  looked_at.push_back(request);
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
  *looked_at[found] = requests[found];
  completed = {looked_at[found], status};
  looked_at.clear();
}

}  // namespace os
}  // namespace tightwire
