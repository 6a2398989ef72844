// What Allreduce and Reduce share: recognising a reduction, planning it, and its ring.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "collective/communicator.h"
#include "collective/datatype.h"
#include "collective/hop.h"
#include "collective/ring.h"
#include "policy/choose.h"

namespace tightwire::collective {

struct Reduction {
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  PredefinedType type;
  ReductionKind kind = ReductionKind::unsupported;
  std::size_t items = 0;

  [[nodiscard]] std::size_t bytes() const { return items * type.item_size; }
};

// Nothing for what tightwire leaves to MPI, invalid arguments among it. Needs no communication and
// comes out alike on all ranks of a correct program.
[[nodiscard]] std::optional<Reduction> recognise(int count, MPI_Datatype datatype, MPI_Op op,
                                                 MPI_Comm comm);

// The plan for it; raw if the communicator's ranks have nothing to gain. Collective over `comm` the
// first time that it is not raw for size alone.
struct ReductionPlan {
  policy::Plan plan;
  Communicator* communicator = nullptr;  // nullptr: raw
};
[[nodiscard]] ReductionPlan plan_for(policy::Operation operation, const Reduction& reduction,
                                     MPI_Comm comm);

// Everything a ring needs. Movable only before its hop is used.
struct PreparedRing {
  RingMessage message;
  Scratch::Lease workspace;
  std::unique_ptr<Hop> hop;
  double bound_of_result = 0;  // 0: exact
};

// `own` are this rank's values, `result` is null where no result is received. Collective over the
// private communicator where the bound is relative to the value range. Throws MpiError.
[[nodiscard]] PreparedRing prepare_ring(const Reduction& reduction, const ReductionPlan& plan,
                                        const void* own, void* result, std::vector<Part> segments);

}  // namespace tightwire::collective
