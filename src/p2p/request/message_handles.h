// Message handles (MPI_Mprobe) of messages that need a receive of ours.
#pragma once

#include <mpi.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "p2p/transfer/unexpected.h"

namespace tightwire::p2p {

// Thread safe.
class MessageHandles {
 public:
  // A handle for a message: the message's own if it is held. Else one of MPI's all the same, since
  // Fortran's bindings look into them: it stands for an empty message of this process to itself.
  // Throws MpiError.
  [[nodiscard]] MPI_Message keep(Taken taken);
  [[nodiscard]] bool any() const { return size_.load(std::memory_order_relaxed) != 0; }
  // The message, if the handle is one of ours, which then is gone.
  [[nodiscard]] std::optional<Taken> release(MPI_Message handle);

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> size_{0};
  struct Kept {
    Taken taken;
    // The empty message's own. MPICH 4.0 forgets such a message if its send is let go of.
    MPI_Request sent = MPI_REQUEST_NULL;
  };
  std::unordered_map<MPI_Message, Kept> messages_;
};

[[nodiscard]] MessageHandles& message_handles();

}  // namespace tightwire::p2p
