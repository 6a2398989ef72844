// Messages that were matched in MPI before the program received them.
//
// A probe must tell the size of the program's message, which for an encoded one only the frame
// itself knows. So a probed frame is received into memory of ours. Messages of the same sender that
// came before it are matched too, so that what is here is always older than what MPI still has of
// that sender; but they are held, not received: a synchronous send may wait for them. Receives and
// probes look here first.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "mpi/buffer_pool.h"
#include "mpi/communicator/route.h"
#include "mpi/datatype/byte_segments.h"

namespace tightwire::p2p {

// A matched message: held, or MPI receives it into our memory, which may still be under way.
struct Taken {
  std::shared_ptr<const mpi::Route> route;
  int source = MPI_PROC_NULL;
  int tag = 0;
  MPI_Status status{};                      // as a probe in MPI sees it
  MPI_Message message = MPI_MESSAGE_NULL;   // if it is held
  MPI_Request transfer = MPI_REQUEST_NULL;  // if it is received
  mpi::BufferPool::Lease memory;
  mpi::ByteSegments segments;

  [[nodiscard]] bool is_held() const { return message != MPI_MESSAGE_NULL; }
  // Receives a message that is held. Throws MpiError, std::bad_alloc.
  void receive();
  // The status of the program's message, once that is known.
  [[nodiscard]] std::optional<MPI_Status> arrived() const;

 private:
  // That of one that is held.
  [[nodiscard]] std::optional<MPI_Status> announced() const;
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

  // What a probe sees: nothing, a message that MPI has, or one matched before, which is then
  // `taken`.
  struct Found {
    MPI_Status status{};
    const Taken* taken = nullptr;
  };
  [[nodiscard]] std::optional<Found> probe(const mpi::Route& route, int source, int tag);
  // What a probe sees in MPI, where nothing is here, no thread could change that, and the message
  // is not encoded: then that is the truth. Needs no matching(). `flag` as of MPI_Iprobe. Throws
  // MpiError.
  [[nodiscard]] bool probe_mpi(const mpi::Route& route, int source, int tag, int& flag,
                               MPI_Status& status) const;
  // Takes out what match() or probe() found.
  [[nodiscard]] Taken remove(const Taken* taken);

 private:
  // What a probe sees here; and senders whose first match is still under way. Only here a message
  // is received: one that is probed, and that its length tells to be encoded.
  [[nodiscard]] std::optional<Found> look(const mpi::Route& route, int source, int tag,
                                          std::vector<int>& waiting);
  void take_up_to(const mpi::Route& route, int source, int tag);

  std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  std::list<Taken> messages_;
};

[[nodiscard]] Unexpected& unexpected();

}  // namespace tightwire::p2p
