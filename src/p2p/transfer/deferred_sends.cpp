#include "p2p/transfer/deferred_sends.h"

#include <algorithm>

#include "mpi/datatype/byte_segments.h"
#include "mpi/error.h"
#include "mpi/status.h"
#include "p2p/engine.h"
#include "p2p/request/request_list.h"

namespace tightwire::p2p {
namespace {

// Takes what nobody will: it followed a message whose receive failed.
void discard_stray() {
  int found = 0;
  MPI_Status status;
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, engine().comm, &found, &status);
  if (found == 0) return;
  const mpi::BufferPool::Lease memory =
      engine().pool.insist(std::max<std::size_t>(mpi::bytes_of(status), 1));
  const mpi::ByteSegments row(memory.bytes().first(mpi::bytes_of(status)));
  PMPI_Recv(row.address(), row.count(), row.type(), status.MPI_SOURCE, status.MPI_TAG,
            engine().comm, MPI_STATUS_IGNORE);
}

}  // namespace

void DeferredSends::post(std::span<const std::byte> bytes, int world_rank, int tag) {
  // All memory before MPI reads from it.
  std::list<Letter> one(1);
  Letter& letter = one.front();
  letter.memory = engine().pool.insist(bytes.size());
  std::copy(bytes.begin(), bytes.end(), letter.memory.bytes().begin());
  mpi::check(PMPI_Isend(letter.memory.bytes().data(), static_cast<int>(bytes.size()), MPI_BYTE,
                        world_rank, tag, engine().comm, &letter.request));
  const std::scoped_lock lock(mutex_);
  reap_locked();
  letters_.splice(letters_.end(), one);
}

void DeferredSends::reap() {
  const std::scoped_lock lock(mutex_);
  reap_locked();
}

void DeferredSends::reap_locked() {
  std::erase_if(letters_, [](Letter& letter) {
    int left = 0;
    return PMPI_Test(&letter.request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS || left != 0;
  });
}

void DeferredSends::drain() {
  MPI_Request all_done = MPI_REQUEST_NULL;
  bool done_here = false;
  SpinThenYield patience;
  for (int done = 0; done == 0; patience.pause()) {
    engine().requests.reap();
    reap();
    discard_stray();
    if (!done_here && letters_.empty()) {
      PMPI_Ibarrier(engine().comm, &all_done);
      done_here = true;
    }
    if (done_here) PMPI_Test(&all_done, &done, MPI_STATUS_IGNORE);
  }
}

}  // namespace tightwire::p2p
