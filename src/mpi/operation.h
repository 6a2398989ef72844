// Work of ours that takes time, a message or a collective, as something that can be moved on.
//
// Blocking calls drive an operation to its end; requests drive theirs when the program tests or
// waits for them. The idea is that of UCX's protocols (progress, abort, reset).
#pragma once

#include <mpi.h>

namespace tightwire::mpi {

// What the program hears of a call.
struct Outcome {
  MPI_Status status{};
  int code = MPI_SUCCESS;
};

// Not thread safe: one thread at a time.
class Operation {
 public:
  Operation() = default;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  virtual ~Operation() = default;

  enum class Waiting : bool { no, yes };
  // Does what can be done now, or with Waiting::yes all that is left to do. True once there is
  // nothing left. Throws MpiError, std::bad_alloc; after that only abort() may be called.
  [[nodiscard]] virtual bool progress(Waiting waiting) = 0;

  // Once progress() has said true. What went wrong is raised on the communicator here, once.
  [[nodiscard]] virtual Outcome outcome() = 0;

  // Gives up. Memory that MPI may still write to is not used again.
  virtual void abort() noexcept = 0;
};

}  // namespace tightwire::mpi
