// Messages that travel between the program's buffers as MPI moves them, all at once: those of an
// exchange that are not worth a frame.
#pragma once

#include <mpi.h>

#include <vector>

#include "collective/communicator.h"
#include "collective/view.h"

namespace tightwire::collective {

// Between two ranks there is one at most in each direction, of no more bytes than an int counts.
// Buffers are in use until wait(). Throw MpiError; then they stay so.
class PlainMessages {
 public:
  explicit PlainMessages(const Communicator& communicator) : comm_(communicator.comm) {}

  void receive(const UserBuffer& to, int source);
  void send(const UserBuffer& from, int destination);

  // For all of them.
  void wait();

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

}  // namespace tightwire::collective
