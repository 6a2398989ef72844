#include "interpose/census/census.h"

#include "interpose/census/prepared_requests.h"
#include "mpi/where_memory_allows.h"
#include "p2p/transfer/framing.h"
#include "runtime/runtime.h"

namespace tightwire::census {
namespace {

struct PassedMessage {
  std::size_t bytes = 0;
  policy::Reason why = policy::Reason::none;
};

// Persistent sends that are left to MPI.
PreparedRequests<PassedMessage>& all_prepared() {
  // Never destroyed: threads of the program may outlive static destruction.
  static auto* const prepared = new PreparedRequests<PassedMessage>;
  return *prepared;
}

void count(policy::Operation operation, const PassedMessage& message) {
  if (message.why == policy::Reason::none) return;
  runtime::current().statistics.count_passed(operation, message.why, message.bytes, 0);
}

// Of no bytes where no message leaves.
PassedMessage passed_message(const mpi::Buffer& values, int destination, MPI_Comm comm) {
  if (!values.valid() || destination < 0) return {};
  const std::size_t bytes = values.bytes();
  return {bytes, p2p::why_unframed(values.address, bytes, destination, comm)};
}

}  // namespace

void start() {
  detail::active = runtime::current().reporting();
}

void finish() {
  detail::active = false;
}

void message(const mpi::Buffer& values, int destination, MPI_Comm comm) noexcept {
  mpi::where_possible(
      [&] { count(policy::Operation::send, passed_message(values, destination, comm)); });
}

void prepared(const mpi::Buffer& values, int destination, MPI_Comm comm,
              MPI_Request request) noexcept {
  mpi::where_possible(
      [&] { all_prepared().keep(request, passed_message(values, destination, comm)); });
}

void forget(MPI_Request request) noexcept {
  mpi::where_possible([&] { all_prepared().forget(request); });
}

void started(int count_of_all, const MPI_Request* requests) noexcept {
  mpi::where_possible([&] {
    for (int i = 0; i < count_of_all; ++i) {
      if (const auto send = all_prepared().find(requests[i])) {
        count(policy::Operation::send, *send);
      }
    }
  });
}

void one_sided(mpi::Count count_of_items, MPI_Datatype datatype) noexcept {
  mpi::where_possible([&] {
    const mpi::Buffer values{MPI_BOTTOM, count_of_items, datatype};
    if (!values.valid()) return;
    count(policy::Operation::send, {values.bytes(), policy::Reason::one_sided});
  });
}

}  // namespace tightwire::census
