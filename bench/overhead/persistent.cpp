// Persistent requests, and partitioned ones.
#include "cases.h"

namespace overhead {
namespace {

using Init = int (*)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

// Receives first.
class Persistent : public Sequence {
 public:
  Persistent(const Place& place, Init send)
      : Sequence(place),
        send_(send),
        sent_(place.count()),
        received_(place.count()),
        requests_(2 * place.count(), MPI_REQUEST_NULL) {}

 protected:
  void make() {
    for (std::size_t i = 0; i < sent_.size(); ++i) {
      at_.mpi.Recv_init(&received_[i], 1, MPI_INT64_T, at_.peer(), tag, at_.comm, &requests_[i]);
      send_(&sent_[i], 1, MPI_INT64_T, at_.peer(), tag, at_.comm, &requests_[sent_.size() + i]);
    }
  }
  void free() {
    for (MPI_Request& request : requests_) at_.mpi.Request_free(&request);
  }
  [[nodiscard]] std::vector<MPI_Request>& requests() { return requests_; }
  void wait() {
    at_.mpi.Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  Init send_;
  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> received_;
  std::vector<MPI_Request> requests_;
};

class Make final : public Persistent {
 public:
  using Persistent::Persistent;
  void once() override {
    make();
    free();
  }
};

class StartEach final : public Persistent {
 public:
  using Persistent::Persistent;
  void prepare() override { make(); }
  void finish() override { free(); }
  void once() override {
    for (std::size_t i = 0; i < at_.count(); ++i) at_.mpi.Start(&requests()[i]);
    PMPI_Barrier(at_.comm);
    for (std::size_t i = 0; i < at_.count(); ++i) at_.mpi.Start(&requests()[at_.count() + i]);
    wait();
  }
};

class StartAll final : public Persistent {
 public:
  using Persistent::Persistent;
  void prepare() override { make(); }
  void finish() override { free(); }
  void once() override {
    at_.mpi.Startall(static_cast<int>(requests().size()), requests().data());
    wait();
  }
};

template <class Kind>
Case persistent(const std::string& calls, Init Functions::*send) {
  return {calls, true, true,
          [=](const Place& place) { return std::make_unique<Kind>(place, place.mpi.*send); }};
}

#if MPI_VERSION >= 4

// A message of four partitions of 8 bytes.
class Partitioned : public Sequence {
 public:
  using Sequence::Sequence;
  void prepare() override { make(); }
  void finish() override { free(); }

 protected:
  static constexpr int partitions = 4;

  void make() {
    at_.mpi.Precv_init(memory_.receive.data(), partitions, 1, MPI_INT64_T, at_.peer(), tag,
                       at_.comm, MPI_INFO_NULL, requests_.data());
    at_.mpi.Psend_init(memory_.send.data(), partitions, 1, MPI_INT64_T, at_.peer(), tag, at_.comm,
                       MPI_INFO_NULL, &requests_[1]);
  }
  void free() {
    for (MPI_Request& request : requests_) at_.mpi.Request_free(&request);
  }
  template <class Ready>
  void transfer(Ready&& ready) {
    at_.mpi.Startall(2, requests_.data());
    ready(requests_[1]);
    at_.mpi.Waitall(2, requests_.data(), MPI_STATUSES_IGNORE);
  }
  [[nodiscard]] MPI_Request receive() const { return requests_[0]; }

 private:
  Memory memory_;
  std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

class Ready final : public Partitioned {
 public:
  using Partitioned::Partitioned;
  void once() override {
    transfer([&](MPI_Request send) {
      for (int i = 0; i < partitions; ++i) at_.mpi.Pready(i, send);
      for (int arrived = 0; arrived == 0;) at_.mpi.Parrived(receive(), 0, &arrived);
    });
  }
};

class ReadyRange final : public Partitioned {
 public:
  using Partitioned::Partitioned;
  void once() override {
    transfer([&](MPI_Request send) { at_.mpi.Pready_range(0, partitions - 1, send); });
  }
};

class ReadyList final : public Partitioned {
 public:
  using Partitioned::Partitioned;
  void once() override {
    transfer([&](MPI_Request send) {
      std::array<int, partitions> all{0, 1, 2, 3};
      at_.mpi.Pready_list(partitions, all.data(), send);
    });
  }
};

template <class Kind>
Case partitioned(const std::string& calls) {
  return {calls, false, true, [](const Place& place) { return std::make_unique<Kind>(place); }};
}

// Making them is no matter of nanoseconds: MPI has the ranks meet.
void add_partitioned(std::vector<Case>& cases) {
  cases.push_back(partitioned<Ready>("Psend_init+Precv_init:Startall+Pready+Parrived+Waitall"));
  cases.push_back(partitioned<ReadyRange>("Startall+Pready_range+Waitall"));
  cases.push_back(partitioned<ReadyList>("Startall+Pready_list+Waitall"));
}

#else

void add_partitioned(std::vector<Case>&) {}

#endif

}  // namespace

void add_persistent(std::vector<Case>& cases) {
  cases.push_back(persistent<Make>("Send_init+Recv_init+Request_free", &Functions::Send_init));
  cases.push_back(persistent<StartEach>("Start+Waitall", &Functions::Send_init));
  cases.push_back(persistent<StartAll>("Startall+Waitall", &Functions::Send_init));
  cases.push_back(persistent<StartAll>("Ssend_init:Startall+Waitall", &Functions::Ssend_init));
  cases.push_back(persistent<StartAll>("Bsend_init:Startall+Waitall", &Functions::Bsend_init));
  cases.push_back(persistent<StartEach>("Rsend_init:Start+Waitall", &Functions::Rsend_init));
  add_partitioned(cases);
}

}  // namespace overhead
