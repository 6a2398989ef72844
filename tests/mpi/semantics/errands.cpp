#include "errands.h"

#include <sched.h>

#include "content.h"

namespace semantics {
namespace {

constexpr Base type_of_errands = Base::float64;

std::vector<std::byte> content_of(const Errand& errand) {
  Message message;
  message.signature = {type_of_errands, 1000 + errand.seed % 3000};
  message.content = errand.seed % 4 == 0 ? Content::noise : Content::smooth;
  message.seed = errand.seed;
  return semantics::content_of(message);
}

int count_of(const std::vector<std::byte>& packed) {
  return static_cast<int>(packed.size() / sizeof(double));
}

}  // namespace

void Errands::send(const Errand& errand, int destination) {
  Sent& sent = sent_.emplace_back(Sent{content_of(errand), MPI_REQUEST_NULL});
  MPI_Isend(sent.packed.data(), count_of(sent.packed), MPI_DOUBLE, destination, errand.tag, comm_,
            &sent.request);
}

MPI_Request Errands::start_receive(const Errand& errand, std::vector<std::byte>& to) const {
  to.assign(content_of(errand).size(), std::byte{});
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(to.data(), count_of(to), MPI_DOUBLE, errand.source, errand.tag, comm_, &request);
  return request;
}

std::string Errands::receive(const Errand& errand) const {
  std::vector<std::byte> received(content_of(errand).size());
  const int count = count_of(received);
  MPI_Status status{};
  MPI_Message matched = MPI_MESSAGE_NULL;
  int here = 0;
  switch (errand.seed / 4 % 6) {
    case 0:
      MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, received.data(), count, MPI_DOUBLE,
                   errand.source, errand.tag, comm_, &status);
      break;
    case 1: {
      MPI_Request request = start_receive(errand, received);
      MPI_Wait(&request, &status);
      break;
    }
    case 2: {
      MPI_Request requests[] = {MPI_REQUEST_NULL, start_receive(errand, received)};
      for (; here == 0; sched_yield()) MPI_Testall(2, requests, &here, MPI_STATUSES_IGNORE);
      return compare(errand, received);
    }
    case 3:
      MPI_Mprobe(errand.source, errand.tag, comm_, &matched, &status);
      MPI_Mrecv(received.data(), count, MPI_DOUBLE, &matched, &status);
      break;
    case 4:
      for (; here == 0; sched_yield()) {
        MPI_Iprobe(MPI_ANY_SOURCE, errand.tag, comm_, &here, &status);
      }
      [[fallthrough]];
    default:
      MPI_Recv(received.data(), count, MPI_DOUBLE, errand.source, errand.tag, comm_, &status);
  }
  int got = 0;
  MPI_Get_count(&status, MPI_DOUBLE, &got);
  return got == count ? compare(errand, received) : "COUNT " + std::to_string(got);
}

std::string Errands::compare(const Errand& errand, const std::vector<std::byte>& received) const {
  const std::vector<std::byte> expected = content_of(errand);
  const bool ok =
      bound_ > 0 ? within(bound_, type_of_errands, expected, received) : expected == received;
  return ok ? "ok" : "DATA WRONG";
}

std::string Errands::exchange_with_self(const Errand& errand) const {
  const std::vector<std::byte> sent = content_of(errand);
  std::vector<std::byte> received(sent.size());
  MPI_Sendrecv(sent.data(), count_of(sent), MPI_DOUBLE, 0, errand.tag, received.data(),
               count_of(sent), MPI_DOUBLE, 0, errand.tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return compare(errand, received);
}

void Errands::finish() {
  for (Sent& sent : sent_) MPI_Wait(&sent.request, MPI_STATUS_IGNORE);
  sent_.clear();
}

}  // namespace semantics
