// Polling requests that are not complete: receives of 8 bytes, and of messages so large that they
// may come compressed.
#include <utility>

#include "cases.h"

namespace overhead {
namespace {

constexpr std::size_t large = std::size_t{256} << 10;

using Poll = void (*)(const Functions&, std::vector<MPI_Request>&, std::vector<int>&);

// Nobody sends what they wait for.
class Pending final : public Sequence {
 public:
  Pending(const Place& place, std::size_t bytes, Poll poll)
      : Sequence(place),
        bytes_(bytes),
        poll_(poll),
        memory_(std::make_unique_for_overwrite<std::byte[]>(bytes * place.count())),
        requests_(place.count(), MPI_REQUEST_NULL),
        indices_(place.count()) {}

  void prepare() override {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
      at_.mpi.Irecv(memory_.get() + i * bytes_, static_cast<int>(bytes_), MPI_BYTE, at_.peer(), tag,
                    at_.comm, &requests_[i]);
    }
  }
  void once() override { poll_(at_.mpi, requests_, indices_); }
  void finish() override {
    for (MPI_Request& request : requests_) {
      at_.mpi.Cancel(&request);
      at_.mpi.Wait(&request, MPI_STATUS_IGNORE);
    }
  }

 private:
  std::size_t bytes_;
  Poll poll_;
  std::unique_ptr<std::byte[]> memory_;
  std::vector<MPI_Request> requests_;
  std::vector<int> indices_;
};

Case pending(const std::string& call, std::size_t bytes, bool per_request, Poll poll) {
  return {call, true, per_request,
          [=](const Place& place) { return std::make_unique<Pending>(place, bytes, poll); }};
}

void test(const Functions& mpi, std::vector<MPI_Request>& requests, std::vector<int>&) {
  for (MPI_Request& request : requests) {
    int done = 0;
    mpi.Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

void look(const Functions& mpi, std::vector<MPI_Request>& requests, std::vector<int>&) {
  for (const MPI_Request& request : requests) {
    int done = 0;
    mpi.Request_get_status(request, &done, MPI_STATUS_IGNORE);
  }
}

void test_all(const Functions& mpi, std::vector<MPI_Request>& requests, std::vector<int>&) {
  int done = 0;
  mpi.Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
}

void test_any(const Functions& mpi, std::vector<MPI_Request>& requests, std::vector<int>&) {
  int index = 0;
  int done = 0;
  mpi.Testany(static_cast<int>(requests.size()), requests.data(), &index, &done, MPI_STATUS_IGNORE);
}

void test_some(const Functions& mpi, std::vector<MPI_Request>& requests,
               std::vector<int>& indices) {
  int done = 0;
  mpi.Testsome(static_cast<int>(requests.size()), requests.data(), &done, indices.data(),
               MPI_STATUSES_IGNORE);
}

void probe_nothing(const Place& at, Memory&) {
  int found = 0;
  at.mpi.Iprobe(MPI_ANY_SOURCE, tag, at.comm, &found, MPI_STATUS_IGNORE);
}

}  // namespace

void add_polls(std::vector<Case>& cases) {
  for (const auto& [word, bytes] : {std::pair("", std::size_t{8}), std::pair(" large", large)}) {
    const std::string of = std::string(" of pending") + word;
    cases.push_back(pending("Test" + of, bytes, true, &test));
    cases.push_back(pending("Request_get_status" + of, bytes, true, &look));
    cases.push_back(pending("Testall" + of, bytes, false, &test_all));
    cases.push_back(pending("Testany" + of, bytes, false, &test_any));
    cases.push_back(pending("Testsome" + of, bytes, false, &test_some));
  }
  cases.push_back(simple("Iprobe of nothing", &probe_nothing));
}

}  // namespace overhead
