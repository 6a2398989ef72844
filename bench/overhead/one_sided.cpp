// Accesses of 8 bytes to the other rank's window, each complete before the next.
#include "cases.h"

namespace overhead {
namespace {

using Access = void (*)(const Place&, Memory&, MPI_Win);

class OneSided final : public Sequence {
 public:
  OneSided(const Place& place, Access access) : Sequence(place), access_(access) {}

  void prepare() override {
    std::int64_t* base = nullptr;
    PMPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, at_.comm,
                      static_cast<void*>(&base), &window_);
    *base = 0;
    PMPI_Barrier(at_.comm);
    PMPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  void once() override {
    access_(at_, memory_, window_);
    PMPI_Win_flush(at_.peer(), window_);
  }
  void finish() override {
    PMPI_Win_unlock_all(window_);
    PMPI_Win_free(&window_);
  }

 private:
  Access access_;
  Memory memory_;
  MPI_Win window_ = MPI_WIN_NULL;
};

Case one_sided(const std::string& calls, Access access) {
  return {calls, false, true,
          [=](const Place& place) { return std::make_unique<OneSided>(place, access); }};
}

template <class Start>
void complete(const Place& at, Start&& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  start(&request);
  at.mpi.Wait(&request, MPI_STATUS_IGNORE);
}

void put(const Place& at, Memory& memory, MPI_Win window) {
  at.mpi.Put(memory.send.data(), 1, MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, window);
}

void get(const Place& at, Memory& memory, MPI_Win window) {
  at.mpi.Get(memory.receive.data(), 1, MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, window);
}

void accumulate(const Place& at, Memory& memory, MPI_Win window) {
  at.mpi.Accumulate(memory.send.data(), 1, MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, MPI_SUM,
                    window);
}

void get_and_accumulate(const Place& at, Memory& memory, MPI_Win window) {
  at.mpi.Get_accumulate(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1, MPI_INT64_T,
                        at.peer(), 0, 1, MPI_INT64_T, MPI_SUM, window);
}

void fetch(const Place& at, Memory& memory, MPI_Win window) {
  at.mpi.Fetch_and_op(memory.send.data(), memory.receive.data(), MPI_INT64_T, at.peer(), 0, MPI_SUM,
                      window);
}

[[maybe_unused]] void compare_and_swap(const Place& at, Memory& memory, MPI_Win window) {
  at.mpi.Compare_and_swap(memory.send.data(), &memory.send[1], memory.receive.data(), MPI_INT64_T,
                          at.peer(), 0, window);
}

void start_put(const Place& at, Memory& memory, MPI_Win window) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Rput(memory.send.data(), 1, MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, window, request);
  });
}

void start_get(const Place& at, Memory& memory, MPI_Win window) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Rget(memory.receive.data(), 1, MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, window,
                request);
  });
}

void start_accumulate(const Place& at, Memory& memory, MPI_Win window) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Raccumulate(memory.send.data(), 1, MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, MPI_SUM,
                       window, request);
  });
}

void start_get_and_accumulate(const Place& at, Memory& memory, MPI_Win window) {
  complete(at, [&](MPI_Request* request) {
    at.mpi.Rget_accumulate(memory.send.data(), 1, MPI_INT64_T, memory.receive.data(), 1,
                           MPI_INT64_T, at.peer(), 0, 1, MPI_INT64_T, MPI_SUM, window, request);
  });
}

}  // namespace

void add_one_sided(std::vector<Case>& cases) {
  cases.push_back(one_sided("Put", &put));
  cases.push_back(one_sided("Get", &get));
  cases.push_back(one_sided("Accumulate", &accumulate));
  cases.push_back(one_sided("Get_accumulate", &get_and_accumulate));
  cases.push_back(one_sided("Fetch_and_op", &fetch));
#ifndef OPEN_MPI
  // Open MPI 4.1 crashes in it now and then where both ranks are in it, without Tightwire as well.
  cases.push_back(one_sided("Compare_and_swap", &compare_and_swap));
#endif
  cases.push_back(one_sided("Rput+Wait", &start_put));
  cases.push_back(one_sided("Rget+Wait", &start_get));
  cases.push_back(one_sided("Raccumulate+Wait", &start_accumulate));
  cases.push_back(one_sided("Rget_accumulate+Wait", &start_get_and_accumulate));
}

}  // namespace overhead
