// The forms of one collective: MPI_Bcast waits, MPI_Ibcast returns at once, and MPI_Bcast_init
// makes a persistent request.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "mpi/communicator/participants.h"

namespace tightwire::collective {

enum class Calling : std::uint8_t {
  waits,
  returns_at_once,
  // Is decided in the call that makes the request, in which ranks may wait for each other (MPI 4.0,
  // section 6.13), and carried out at each start. In the call the values are not there yet.
  persistent,
};

// Who takes part on the program's communicator, and how it is called there.
struct CalledOn {
  mpi::Participants participants;
  Calling calling = Calling::waits;

  [[nodiscard]] MPI_Comm comm() const { return participants.comm; }

  // Whether the call may wait for its other ranks.
  [[nodiscard]] bool may_wait() const { return calling != Calling::returns_at_once; }
  // Whether it is carried out in the background.
  [[nodiscard]] bool in_background() const { return calling != Calling::waits; }
};

struct Form {
  const char* function;  // "MPI_Ibcast"
  Calling calling = Calling::waits;
  MPI_Request* request = nullptr;  // of those that have one

  // Of a place that is valid: whether a communicator has two groups is asked there.
  [[nodiscard]] CalledOn on(const mpi::Participants& participants) const {
    return {participants, calling};
  }
};

}  // namespace tightwire::collective
