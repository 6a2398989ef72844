// Buffers that frames are sent from and received into, in slots, so that several are on their way
// while the codec works on another.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

// What crossed the network from this rank.
struct Traffic {
  std::size_t bytes_before = 0;  // of the values
  std::size_t bytes_after = 0;   // of the frames
};

class Slot {
 public:
  Slot(mpi::Communicator& communicator, std::size_t capacity);
  // Waits for transfers still under way, since their memory must not be reused before. When an
  // MpiError is on its way they may never end: then the memory is abandoned instead.
  ~Slot();
  Slot(Slot&&) noexcept = default;
  Slot& operator=(Slot&&) = delete;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  [[nodiscard]] std::span<std::byte> buffer() const { return lease_.bytes(); }

  // Several sends may be under way from one slot.
  void send(std::size_t size, int destination, int tag);
  void receive(int source, int tag);

  // Waits until nothing is under way. Returns the size of the last received frame; a frame too
  // large for the slot gives a size larger than the buffer. Throws MpiError for everything else.
  std::size_t wait();

  // Lets MPI move data, without waiting.
  void poll();

  // Exchanges buffers with a slot that has nothing under way; this one must have nothing either.
  void swap_buffers(Slot& other) { std::swap(lease_, other.lease_); }

 private:
  mpi::Communicator* communicator_;
  mpi::BufferPool::Lease lease_;
  std::vector<MPI_Request> requests_;
};

// `count` slots of the same capacity.
[[nodiscard]] std::vector<Slot> make_slots(mpi::Communicator& communicator, std::size_t count,
                                           std::size_t capacity);

}  // namespace tightwire::collective
