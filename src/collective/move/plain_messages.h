// Messages that travel between the program's buffers as MPI moves them, all at once: those of an
// exchange that are not worth a frame.
#pragma once

#include <mpi.h>

#include <vector>

#include "collective/transfer/schedule.h"
#include "collective/transfer/tags.h"
#include "mpi/buffer.h"
#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

// Several between two ranks meet in their order. None has more bytes than an int counts.
// Buffers are in use until wait(). Throw MpiError; then they stay so.
class PlainMessages final : public Transfer {
 public:
  explicit PlainMessages(mpi::Communicator& communicator, int tag = plain_tag)
      : communicator_(communicator), tag_(tag) {}
  ~PlainMessages();
  PlainMessages(const PlainMessages&) = delete;
  PlainMessages& operator=(const PlainMessages&) = delete;

  void receive(const mpi::Buffer& to, int source);
  void send(const mpi::Buffer& from, int destination);
  // It is over no sooner than its receive has begun.
  void send_synchronously(const mpi::Buffer& from, int destination);

  // For all of them.
  void wait();
  // The same in a schedule: `co_await messages.transferred()`.
  [[nodiscard]] Awaiting<PlainMessages> transferred() { return {*this}; }
  [[nodiscard]] bool test() override;

 private:
  mpi::Communicator& communicator_;
  int tag_;
  std::vector<MPI_Request> requests_;
};

}  // namespace tightwire::collective
