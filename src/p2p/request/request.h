// A request of the program that tightwire has a part in.
//
// A handle that the program holds is always one of MPI's: that of the transfer itself, or for a
// persistent request the one that MPI made, while the transfer has another.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/operation.h"

namespace tightwire::p2p {

class PersistentRequest;

// What goes wrong with the message is raised by the progress() that finds it, once. abort() cancels
// what MPI can cancel; the request is to be kept, since MPI may still write to its memory. Only
// worked on by the thread that the program completes it in, partitioned ones apart.
class Request : public mpi::Operation {
 public:
  // The program completes it or lets it go, in a call that an error handler may jump out of.
  virtual void extracted() {}
  // What outcome() will return, once progress() has said true; MPI keeps its own request.
  [[nodiscard]] virtual mpi::Outcome peek() const = 0;

  // Another request of the same call has failed, of which the program's error handler has heard: it
  // does not hear of this one during the call.
  virtual void mute(bool /*muted*/) {}

  // As MPI_Cancel; returns MPI's code.
  [[nodiscard]] virtual int cancel() = 0;
  // As MPI_Request_free of an active request, which goes on: MPI may free its request when it is
  // complete.
  virtual void let_go(MPI_Request* handle) { *handle = MPI_REQUEST_NULL; }

  // Persistent requests are inactive between two transfers.
  [[nodiscard]] virtual bool active() const { return true; }
  [[nodiscard]] virtual PersistentRequest* persistent() { return nullptr; }
  // The last start of a persistent one was MPI's alone, under the program's handle.
  [[nodiscard]] virtual bool left_to_mpi() const { return false; }
  [[nodiscard]] virtual bool receives() const = 0;
  // Nothing can be done for it before MPI has moved the message.
  [[nodiscard]] virtual bool waits_for_mpi() const { return false; }
};

// Drives an operation to its end.
[[nodiscard]] inline mpi::Outcome complete(mpi::Operation& operation) {
  static_cast<void>(operation.progress(mpi::Operation::Waiting::yes));
  return operation.outcome();
}

}  // namespace tightwire::p2p
