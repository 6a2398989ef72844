// Messages both ways at once, as many as there are requests, and all ways of completing them.
#include <algorithm>

#include "cases.h"

namespace overhead {
namespace {

using Send = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
using Complete = void (*)(const Functions&, std::vector<MPI_Request>&);

void wait_for_all(const Functions& mpi, std::vector<MPI_Request>& requests) {
  mpi.Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void wait_for_each(const Functions& mpi, std::vector<MPI_Request>& requests) {
  for (MPI_Request& request : requests) mpi.Wait(&request, MPI_STATUS_IGNORE);
}

void test_each(const Functions& mpi, std::vector<MPI_Request>& requests) {
  for (MPI_Request& request : requests) {
    for (int done = 0; done == 0;) mpi.Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

void test_all(const Functions& mpi, std::vector<MPI_Request>& requests) {
  for (int done = 0; done == 0;) {
    mpi.Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  }
}

void look_at_each(const Functions& mpi, std::vector<MPI_Request>& requests) {
  for (const MPI_Request& request : requests) {
    for (int done = 0; done == 0;) mpi.Request_get_status(request, &done, MPI_STATUS_IGNORE);
  }
  wait_for_all(mpi, requests);
}

void wait_for_any(const Functions& mpi, std::vector<MPI_Request>& requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    int index = 0;
    mpi.Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
  }
}

void test_any(const Functions& mpi, std::vector<MPI_Request>& requests) {
  for (int index = 0; index != MPI_UNDEFINED;) {
    int done = 0;
    mpi.Testany(static_cast<int>(requests.size()), requests.data(), &index, &done,
                MPI_STATUS_IGNORE);
    if (done == 0) index = 0;
  }
}

template <class Some>
void complete_some(std::vector<MPI_Request>& requests, Some&& some) {
  std::vector<int> indices(requests.size());
  for (int done = 0; done != MPI_UNDEFINED;) {
    some(static_cast<int>(requests.size()), requests.data(), &done, indices.data(),
         MPI_STATUSES_IGNORE);
  }
}

void wait_for_some(const Functions& mpi, std::vector<MPI_Request>& requests) {
  complete_some(requests, mpi.Waitsome);
}

void test_some(const Functions& mpi, std::vector<MPI_Request>& requests) {
  complete_some(requests, mpi.Testsome);
}

class Exchange final : public Sequence {
 public:
  Exchange(const Place& place, Send send, bool ready, Complete complete)
      : Sequence(place),
        send_(send),
        ready_(ready),
        complete_(complete),
        sent_(place.count()),
        received_(place.count()),
        requests_(2 * place.count(), MPI_REQUEST_NULL) {}

  void once() override {
    for (std::size_t i = 0; i < received_.size(); ++i) {
      at_.mpi.Irecv(&received_[i], 1, MPI_INT64_T, at_.peer(), tag, at_.comm, &requests_[i]);
    }
    if (ready_) PMPI_Barrier(at_.comm);
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      send_(&sent_[i], 1, MPI_INT64_T, at_.peer(), tag, at_.comm, &requests_[sent_.size() + i]);
    }
    complete_(at_.mpi, requests_);
  }

 private:
  Send send_;
  bool ready_;
  Complete complete_;
  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> received_;
  std::vector<MPI_Request> requests_;
};

Case exchange(const std::string& calls, Send Functions::*send, Complete complete) {
  return {calls, true, true, [=](const Place& place) {
            const bool ready = send == &Functions::Irsend;
            return std::make_unique<Exchange>(place, place.mpi.*send, ready, complete);
          }};
}

void let_go(const Place& at, Memory& memory) {
  std::array<MPI_Request, 2> requests{};
  at.mpi.Irecv(memory.receive.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm, requests.data());
  at.mpi.Isend(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm, &requests[1]);
  at.mpi.Request_free(&requests[1]);
  at.mpi.Wait(requests.data(), MPI_STATUS_IGNORE);
}

void cancel(const Place& at, Memory& memory) {
  MPI_Request request = MPI_REQUEST_NULL;
  at.mpi.Irecv(memory.receive.data(), 1, MPI_INT64_T, at.peer(), tag, at.comm, &request);
  at.mpi.Cancel(&request);
  at.mpi.Wait(&request, MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4

void send_receive(const Place& at, Memory& memory) {
  MPI_Request request = MPI_REQUEST_NULL;
  at.mpi.Isendrecv(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, memory.receive.data(), 1,
                   MPI_INT64_T, at.peer(), tag, at.comm, &request);
  at.mpi.Wait(&request, MPI_STATUS_IGNORE);
}

void send_receive_replace(const Place& at, Memory& memory) {
  MPI_Request request = MPI_REQUEST_NULL;
  at.mpi.Isendrecv_replace(memory.send.data(), 1, MPI_INT64_T, at.peer(), tag, at.peer(), tag,
                           at.comm, &request);
  at.mpi.Wait(&request, MPI_STATUS_IGNORE);
}

void add_of_mpi_4(std::vector<Case>& cases) {
  cases.push_back(simple("Isendrecv+Wait", &send_receive));
  cases.push_back(simple("Isendrecv_replace+Wait", &send_receive_replace));
}

#else

void add_of_mpi_4(std::vector<Case>&) {}

#endif

}  // namespace

void add_requests(std::vector<Case>& cases) {
  cases.push_back(exchange("Isend+Irecv+Waitall", &Functions::Isend, &wait_for_all));
  cases.push_back(exchange("Issend+Irecv+Waitall", &Functions::Issend, &wait_for_all));
  cases.push_back(exchange("Ibsend+Irecv+Waitall", &Functions::Ibsend, &wait_for_all));
  cases.push_back(exchange("Irsend+Irecv+Waitall", &Functions::Irsend, &wait_for_all));
  cases.push_back(exchange("Isend+Irecv+Wait", &Functions::Isend, &wait_for_each));
  cases.push_back(exchange("Isend+Irecv+Waitany", &Functions::Isend, &wait_for_any));
  cases.push_back(exchange("Isend+Irecv+Waitsome", &Functions::Isend, &wait_for_some));
  cases.push_back(exchange("Isend+Irecv+Test", &Functions::Isend, &test_each));
  cases.push_back(exchange("Isend+Irecv+Testall", &Functions::Isend, &test_all));
  cases.push_back(exchange("Isend+Irecv+Testany", &Functions::Isend, &test_any));
  cases.push_back(exchange("Isend+Irecv+Testsome", &Functions::Isend, &test_some));
  cases.push_back(
      exchange("Isend+Irecv+Request_get_status+Waitall", &Functions::Isend, &look_at_each));
  cases.push_back(simple("Irecv+Isend+Request_free+Wait", &let_go));
  cases.push_back(simple("Irecv+Cancel+Wait", &cancel));
  add_of_mpi_4(cases);
}

}  // namespace overhead
