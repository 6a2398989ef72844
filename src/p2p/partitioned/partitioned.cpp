#include "p2p/partitioned/partitioned.h"

#include <utility>

#include "mpi/buffer.h"
#include "mpi/communicator/route.h"
#include "mpi/operation.h"
#include "os/waiting/spin_then_sleep.h"

namespace tightwire::p2p {

Partitioned::Partitioned(const Partitions& partitions, const mpi::Route& route, int peer)
    : count_(partitions.count),
      peer_(peer),
      route_(route.shared_from_this()),
      buffer_(partitions.whole(), ReceiveBuffer::Type::kept),
      items_(partitions.partition.count) {}

bool Partitioned::progress(Waiting waiting) {
  for (os::SpinThenSleep spin(os::SpinThenSleep::Naps::after_yields); !known_ && !advance();
       spin.pause()) {
    if (waiting == Waiting::no) return false;
  }
  if (!known_) known_ = end_round();
  return true;
}

mpi::Outcome Partitioned::end_transfer() {
  MPI_Request done = handle_;
  PMPI_Wait(&done, MPI_STATUS_IGNORE);
  if (free_after_) PMPI_Request_free(&handle_);
  return *std::exchange(known_, std::nullopt);
}

// MPI frees the handle when the round is complete.
void Partitioned::let_go(MPI_Request* handle) {
  free_after_ = true;
  *handle = MPI_REQUEST_NULL;
}

mpi::Buffer Partitioned::items_of(std::size_t first, std::size_t count) const {
  return buffer_.buffer().at(static_cast<std::ptrdiff_t>(first) * items_,
                             static_cast<std::ptrdiff_t>(count) * items_);
}

}  // namespace tightwire::p2p
