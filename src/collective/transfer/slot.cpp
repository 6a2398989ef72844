#include "collective/transfer/slot.h"

#include <algorithm>
#include <exception>

#include "mpi/error.h"
#include "mpi/progress/wait.h"
#include "runtime/crew/together.h"
#include "timeline/events.h"

namespace tightwire::collective {
namespace {

constexpr std::size_t oversized = static_cast<std::size_t>(-1);

thread_local int abandoning = 0;

int error_class(int code) {
  int result = MPI_ERR_OTHER;
  PMPI_Error_class(code, &result);
  return result;
}

}  // namespace

bool is_abandoning() {
  return abandoning > 0 || std::uncaught_exceptions() > 0;
}

Slot::Abandoning::Abandoning() {
  ++abandoning;
}

Slot::Abandoning::~Abandoning() {
  --abandoning;
}

Slot::Slot(mpi::Communicator& communicator, std::size_t capacity)
    : communicator_(&communicator), lease_(communicator.scratch.insist(capacity)) {}

Slot::~Slot() {
  if (is_abandoning() && !requests_.empty()) {
    lease_.abandon();
    communicator_->gave_up = true;
    return;
  }
  for (MPI_Request& request : requests_) mpi::wait(&request, MPI_STATUS_IGNORE);
}

void Slot::send(std::size_t size, int destination, int tag) {
  const timeline::Span span("send", timeline::Kind::network, size,
                            timeline::active() ? communicator_->address(destination) : 0);
  requests_.push_back(MPI_REQUEST_NULL);
  mpi::check(PMPI_Isend(buffer().data(), static_cast<int>(size), MPI_BYTE,
                        communicator_->address(destination), communicator_->tag(tag),
                        communicator_->comm, &requests_.back()));
}

void Slot::send_in_turn(std::size_t size, std::span<const int> destinations, int tag) {
  in_turn_ = {size, {destinations.rbegin(), destinations.rend()}, tag};
  if (requests_.empty()) send_to_next();
}

void Slot::send_to_next() {
  if (in_turn_.destinations.empty()) return;
  const int destination = in_turn_.destinations.back();
  in_turn_.destinations.pop_back();
  send(in_turn_.size, destination, in_turn_.tag);
}

void Slot::receive(int source, int tag) {
  requests_.push_back(MPI_REQUEST_NULL);
  mpi::check(PMPI_Irecv(buffer().data(), static_cast<int>(buffer().size()), MPI_BYTE,
                        communicator_->address(source), communicator_->tag(tag),
                        communicator_->comm, &requests_.back()));
}

std::size_t Slot::wait() {
  if (requests_.empty()) return std::exchange(received_, 0);
  const timeline::Span span("wait", timeline::Kind::network);
  while (!requests_.empty()) {
    MPI_Status status;
    const int code = mpi::wait(&requests_.back(), &status);
    settle(code, status);
  }
  return std::exchange(received_, 0);
}

bool Slot::test() {
  while (!requests_.empty()) {
    MPI_Status status;
    int done = 0;
    const int code = mpi::look(&requests_.back(), &done, &status);
    if (code == MPI_SUCCESS && done == 0) return false;
    settle(code, status);
  }
  return true;
}

// Of the last request, which is over.
void Slot::settle(int code, const MPI_Status& status) {
  requests_.pop_back();
  if (code != MPI_SUCCESS && error_class(code) == MPI_ERR_TRUNCATE) {
    received_ = oversized;
    return;
  }
  mpi::check(code);
  int received = 0;
  PMPI_Get_count(&status, MPI_BYTE, &received);
  if (received != MPI_UNDEFINED) received_ = static_cast<std::size_t>(received);
  if (requests_.empty()) send_to_next();
}

void Slot::poll() {
  int done = 0;
  MPI_Status status;
  for (MPI_Request& request : requests_) PMPI_Request_get_status(request, &done, &status);
}

void Slot::ends_pause() {
  if (!requests_.empty()) mpi::ends_pause(&requests_.back());
}

std::size_t window(std::size_t chunks) {
  constexpr std::size_t usual = 4;
  return std::min(chunks, std::max(usual, runtime::places_together(chunks)));
}

std::vector<Slot> make_slots(mpi::Communicator& communicator, std::size_t count,
                             std::size_t capacity) {
  std::vector<Slot> slots;
  slots.reserve(count);
  for (std::size_t i = 0; i < count; ++i) slots.emplace_back(communicator, capacity);
  return slots;
}

}  // namespace tightwire::collective
