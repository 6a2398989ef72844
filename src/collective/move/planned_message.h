// What passes between this rank and a partner of an exchange, as both of them know it from its
// size.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collective/plan/movement_plan.h"
#include "mpi/buffer.h"

namespace tightwire::collective {

struct PlannedMessage {
  // Plain and unframed ones are under way from the beginning, the others step by step.
  enum class Form : std::uint8_t { none, plain, unframed, frames };
  Form form = Form::none;
  std::size_t bytes = 0;
  std::size_t chunks = 0;
  bool may_be_unframed = false;
  bool is_told = false;  // that it is
};

// `partner`: a rank, or MPI_PROC_NULL, with whom nothing passes.
[[nodiscard]] PlannedMessage planned_message(const MovementPlan& plan, int partner,
                                             const mpi::Buffer& buffer);

}  // namespace tightwire::collective
