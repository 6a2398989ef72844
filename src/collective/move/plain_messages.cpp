#include "collective/move/plain_messages.h"

#include "mpi/device/coded_buffer.h"
#include "mpi/error.h"
#include "mpi/progress/wait.h"

namespace tightwire::collective {

PlainMessages::~PlainMessages() {
  if (!requests_.empty()) communicator_.gave_up = true;
}

void PlainMessages::receive(const mpi::Buffer& to, int source) {
  requests_.push_back(MPI_REQUEST_NULL);
  mpi::check(PMPI_Irecv(to.address, static_cast<int>(to.count), to.datatype,
                        communicator_.address(source), communicator_.tag(tag_), communicator_.comm,
                        &requests_.back()));
}

void PlainMessages::send(const mpi::Buffer& from, int destination) {
  mpi::fetch_left(from);
  requests_.push_back(MPI_REQUEST_NULL);
  mpi::check(PMPI_Isend(from.address, static_cast<int>(from.count), from.datatype,
                        communicator_.address(destination), communicator_.tag(tag_),
                        communicator_.comm, &requests_.back()));
}

void PlainMessages::send_synchronously(const mpi::Buffer& from, int destination) {
  mpi::fetch_left(from);
  requests_.push_back(MPI_REQUEST_NULL);
  mpi::check(PMPI_Issend(from.address, static_cast<int>(from.count), from.datatype,
                         communicator_.address(destination), communicator_.tag(tag_),
                         communicator_.comm, &requests_.back()));
}

void PlainMessages::wait() {
  for (MPI_Request& request : requests_) mpi::check(mpi::wait(&request, MPI_STATUS_IGNORE));
  requests_.clear();
}

bool PlainMessages::test() {
  while (!requests_.empty()) {
    int done = 0;
    mpi::check(mpi::look(&requests_.back(), &done, MPI_STATUS_IGNORE));
    if (done == 0) return false;
    requests_.pop_back();
  }
  return true;
}

}  // namespace tightwire::collective
