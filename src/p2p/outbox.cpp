#include "p2p/outbox.h"

#include <algorithm>

#include "collective/failure.h"
#include "p2p/engine.h"

namespace tightwire::p2p {

void Outbox::post(std::span<const std::byte> bytes, int world_rank, int tag) {
  Letter letter;
  letter.memory = engine().pool.insist(bytes.size());
  std::copy(bytes.begin(), bytes.end(), letter.memory.bytes().begin());
  collective::check(PMPI_Isend(letter.memory.bytes().data(), static_cast<int>(bytes.size()),
                               MPI_BYTE, world_rank, tag, engine().comm, &letter.request));
  const std::scoped_lock lock(mutex_);
  reap_locked();
  letters_.push_back(std::move(letter));
}

void Outbox::reap() {
  const std::scoped_lock lock(mutex_);
  reap_locked();
}

void Outbox::reap_locked() {
  std::erase_if(letters_, [](Letter& letter) {
    int left = 0;
    return PMPI_Test(&letter.request, &left, MPI_STATUS_IGNORE) != MPI_SUCCESS || left != 0;
  });
}

void Outbox::drain() {
  const std::scoped_lock lock(mutex_);
  for (Letter& letter : letters_) PMPI_Wait(&letter.request, MPI_STATUS_IGNORE);
  letters_.clear();
}

}  // namespace tightwire::p2p
