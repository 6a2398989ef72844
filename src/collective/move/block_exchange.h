// Builds the messages of an exchange from the program's buffers.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "collective/move/exchange.h"
#include "collective/plan/measured.h"
#include "collective/plan/movement_plan.h"
#include "mpi/byte_view.h"

namespace tightwire::collective {

// Which buffer a rank sends to and receives from a partner. Buffers of no bytes are no messages, as
// both sides know.
struct Partners {
  int send_to = MPI_PROC_NULL;
  mpi::Buffer send;
  int receive_from = MPI_PROC_NULL;
  mpi::Buffer receive;
};

// Runs `count` steps; `partners(step)` is asked more than once for a step and must be pure. What
// was done is noted in `work`. Throws MpiError.
void move_in_steps(mpi::Communicator& communicator, policy::Operation operation, int count,
                   const std::function<Partners(int step)>& partners, Work& work);

}  // namespace tightwire::collective
