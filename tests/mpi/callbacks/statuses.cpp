// MPI 4.0, section 3.7.5: what MPI_ERROR of statuses holds after calls that complete lists. Where
// nothing failed the standard leaves it open; programs look at it all the same, so it is what the
// MPI at hand makes of it. Rank 0 prints that of each call.
#include <cstdio>

#include "callbacks.h"

namespace callbacks {
namespace {

constexpr int before = 4711;
constexpr int messages = 3;

struct Posted {
  std::vector<std::vector<int>> values{messages, std::vector<int>(values_of_a_message)};
  std::vector<MPI_Request> requests{messages, MPI_REQUEST_NULL};
  std::vector<MPI_Status> statuses{messages, MPI_Status{}};

  Posted() {
    for (MPI_Status& status : statuses) status.MPI_ERROR = before;
    for (int i = 0; i < messages; ++i) {
      MPI_Irecv(values[static_cast<std::size_t>(i)].data(), values_of_a_message, MPI_INT, 1, i,
                MPI_COMM_WORLD, &requests[static_cast<std::size_t>(i)]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void print(const char* call, int count) const {
    for (int i = 0; i < count; ++i) {
      const int error = statuses[static_cast<std::size_t>(i)].MPI_ERROR;
      std::printf("%s: %s\n", call,
                  error == before ? "as it was"
                  : error == 0    ? "MPI_SUCCESS"
                                  : "?");
    }
  }
};

void with_waitall() {
  Posted posted;
  MPI_Waitall(messages, posted.requests.data(), posted.statuses.data());
  posted.print("MPI_Waitall", messages);
}

void with_testall() {
  Posted posted;
  for (int done = 0; done == 0;) {
    MPI_Testall(messages, posted.requests.data(), &done, posted.statuses.data());
  }
  posted.print("MPI_Testall", messages);
}

using Some = int (*)(int, MPI_Request*, int*, int*, MPI_Status*);

void with_some(Some some, const char* call) {
  Posted posted;
  int indices[messages];
  for (int done = 0; done < messages;) {
    int now = 0;
    some(messages, posted.requests.data(), &now, indices, posted.statuses.data());
    posted.print(call, now);
    done += now;
    for (MPI_Status& status : posted.statuses) status.MPI_ERROR = before;
  }
}

// Only one is looked at: MPI_ERROR is for lists.
void with_one(bool waits, const char* call) {
  Posted posted;
  for (int i = 0; i < messages; ++i) {
    MPI_Request& request = posted.requests[static_cast<std::size_t>(i)];
    MPI_Status& status = posted.statuses[static_cast<std::size_t>(i)];
    int done = waits ? 1 : 0;
    if (waits) MPI_Wait(&request, &status);
    while (done == 0) MPI_Test(&request, &done, &status);
  }
  posted.print(call, messages);
}

void receiver() {
  with_waitall();
  with_testall();
  with_some(&MPI_Waitsome, "MPI_Waitsome");
  with_some(&MPI_Testsome, "MPI_Testsome");
  with_one(true, "MPI_Wait");
  with_one(false, "MPI_Test");
}

void sender() {
  constexpr int calls = 6;
  for (int call = 0; call < calls; ++call) {
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < messages; ++i) send_to_0(i, MPI_COMM_WORLD);
  }
}

}  // namespace

void statuses() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rank == 0 ? receiver() : sender();
}

}  // namespace callbacks
