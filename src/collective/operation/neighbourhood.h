// The schedule of collectives among the neighbours of a topology.
#pragma once

#include <memory>

#include "collective/plan/blocks.h"
#include "collective/plan/movement_plan.h"
#include "collective/transfer/schedule.h"
#include "collective/transfer/work.h"
#include "mpi/neighbours.h"

namespace tightwire::collective {

// What a call knows of its neighbours. `pairing` decides between several messages to the same one.
struct Neighbourhood {
  std::shared_ptr<mpi::Neighbours> neighbours;
  std::shared_ptr<mpi::PairingQuery> pairing;
};

// A block for each neighbour, in their order. All outlive the schedule. Throws MpiError.
[[nodiscard]] Schedule<> neighbourhood_schedule(const MovementPlan& plan,
                                                const Neighbourhood& neighbourhood,
                                                const Blocks& from, const Blocks& to, Work& work);

}  // namespace tightwire::collective
