// Buffers that frames are sent from and received into, in slots, so that several are on their way
// while the codec works on another.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "collective/transfer/schedule.h"
#include "mpi/communicator/communicator.h"

namespace tightwire::collective {

// Whether what is destroyed now was given up: MPI may still use its memory.
[[nodiscard]] bool is_abandoning();

// What crossed the network from this rank.
struct Traffic {
  std::size_t bytes_before = 0;  // of the values
  std::size_t bytes_after = 0;   // of the frames
};

class Slot final : public Transfer {
 public:
  Slot(mpi::Communicator& communicator, std::size_t capacity);
  // Waits for transfers still under way, since their memory must not be reused before. When an
  // MpiError is on its way they may never end: then the memory is abandoned instead.
  ~Slot();
  // While one of these lives, slots of this thread are destroyed as if an MpiError were on its way.
  class Abandoning;
  Slot(Slot&&) noexcept = default;
  Slot& operator=(Slot&&) = delete;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  [[nodiscard]] std::span<std::byte> buffer() const { return lease_.bytes(); }

  // Several sends may be under way from one slot.
  void send(std::size_t size, int destination, int tag);
  // To each once MPI is through with the one before, while this slot is waited for or tested.
  void send_in_turn(std::size_t size, std::span<const int> destinations, int tag);
  void receive(int source, int tag);

  // Waits until nothing is under way. Returns the size of the last received frame; a frame too
  // large for the slot gives a size larger than the buffer. Throws MpiError for everything else.
  std::size_t wait();
  // The same in a schedule: `co_await slot.transferred()`.
  [[nodiscard]] Awaiting<Slot> transferred() { return {*this}; }
  [[nodiscard]] bool test() override;

  // Lets MPI move data, without waiting.
  void poll();
  // Before a pause of os::SpinThenSleep, once test() was false.
  void ends_pause();

  // Exchanges buffers with a slot that has nothing under way; this one must have nothing either.
  void swap_buffers(Slot& other) { std::swap(lease_, other.lease_); }

 private:
  void settle(int code, const MPI_Status& status);
  void send_to_next();

  // Sends that have not begun.
  struct InTurn {
    std::size_t size = 0;
    std::vector<int> destinations;  // the last one is the next
    int tag = 0;
  };

  mpi::Communicator* communicator_;
  mpi::BufferPool::Lease lease_;
  std::vector<MPI_Request> requests_;  // not empty while sends wait for their turn
  InTurn in_turn_;
  std::size_t received_ = 0;
};

class Slot::Abandoning {
 public:
  Abandoning();
  ~Abandoning();
  Abandoning(const Abandoning&) = delete;
  Abandoning& operator=(const Abandoning&) = delete;
};

// Chunks of one message of so many that are on their way at once: enough to hide one behind another
// and to keep the threads of this rank busy, little memory.
[[nodiscard]] std::size_t window(std::size_t chunks);

// `count` slots of the same capacity.
[[nodiscard]] std::vector<Slot> make_slots(mpi::Communicator& communicator, std::size_t count,
                                           std::size_t capacity);

}  // namespace tightwire::collective
