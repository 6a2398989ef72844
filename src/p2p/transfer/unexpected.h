// Messages that had to be taken from MPI before the program received them.
//
// A probe must tell the size of the program's message, which only the frame itself knows, so a
// probed frame is taken in, and with it every message of the same sender that came before it:
// what is here is always older than what MPI still has of that sender. Receives and probes look
// here first.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "mpi/buffer_pool.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"

namespace tightwire::p2p {

// A message taken in: MPI's receive into our memory, which may still be under way.
struct Taken {
  std::shared_ptr<const mpi::Route> route;
  int source = MPI_PROC_NULL;
  int tag = 0;
  MPI_Request transfer = MPI_REQUEST_NULL;
  mpi::BufferPool::Lease memory;
  mpi::ByteSegments row;

  // The status of the program's message, once it is here.
  [[nodiscard]] std::optional<MPI_Status> arrived() const;
};

class Unexpected {
 public:
  // Must be held from looking for a message until a receive for it is posted, where any() or the
  // program has threads.
  [[nodiscard]] std::mutex& matching() { return mutex_; }
  [[nodiscard]] bool any() const { return size_.load(std::memory_order_relaxed) != 0; }

  // The rest with matching() held.

  // The oldest message that a receive would match, or nullptr.
  [[nodiscard]] const Taken* match(const mpi::Route& route, int source, int tag) const;

  // What a probe sees: nothing, a message that MPI has, or one taken in, which is then `taken`.
  struct Found {
    MPI_Status status{};
    const Taken* taken = nullptr;
  };
  [[nodiscard]] std::optional<Found> probe(const mpi::Route& route, int source, int tag);
  // Takes out what match() or probe() found.
  [[nodiscard]] Taken remove(const Taken* taken);

 private:
  enum class Match : std::uint8_t { none, under_way, here };
  Match look(const mpi::Route& route, int source, int tag, Found& found) const;
  void take_up_to(const mpi::Route& route, int source, int tag);

  std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  std::list<Taken> messages_;
};

[[nodiscard]] Unexpected& unexpected();

}  // namespace tightwire::p2p
