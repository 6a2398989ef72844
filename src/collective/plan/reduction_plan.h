// What Allreduce and Reduce share: recognising a reduction, planning it, and its ring.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "collective/plan/decide.h"
#include "collective/reduce/frame_reducer.h"
#include "mpi/communicator/communicator.h"
#include "mpi/datatype/predefined_type.h"
#include "policy/cost/schedule.h"

namespace tightwire::collective {

struct Reduction {
  MPI_Datatype datatype = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  mpi::PredefinedType type;
  mpi::ReductionKind kind = mpi::ReductionKind::unsupported;
  std::size_t items = 0;

  [[nodiscard]] std::size_t bytes() const { return items * type.item_size; }
};

// A count as the program gives it; negative ones are for MPI to complain of.
[[nodiscard]] constexpr std::size_t items_of(int count) {
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

// Nothing for what tightwire leaves to MPI, invalid arguments among it. Needs no communication and
// comes out alike on all ranks of a correct program.
[[nodiscard]] std::optional<Reduction> recognise(std::size_t items, MPI_Datatype datatype,
                                                 MPI_Op op, MPI_Comm comm);

// The plan for it. `own` are this rank's values. Collective over `comm` the first time that it is
// not raw for size alone, and now and then.
struct ReductionPlan {
  const settings::Settings* settings = nullptr;  // in force for it
  policy::Plan plan;
  Decision decision;
};
[[nodiscard]] ReductionPlan plan_for(policy::Operation operation, const Reduction& reduction,
                                     const void* own, MPI_Comm comm);

// A hop ready to use, and what it holds on to.
struct PreparedReducer {
  mpi::BufferPool::Lease workspace;
  std::unique_ptr<FrameReducer> reducer;
  double bound_of_result = 0;  // 0: exact
};

// How the call goes. All ranks get the same.
[[nodiscard]] policy::Schedule schedule_for(policy::Operation operation, const Reduction& reduction,
                                            const ReductionPlan& plan);

// The same for a ring of `ranks` that reduces `bytes` of it.
[[nodiscard]] policy::Schedule ring_schedule_for(policy::Operation operation,
                                                 const Reduction& reduction,
                                                 const ReductionPlan& plan, std::size_t bytes,
                                                 int ranks);

// Whether how it goes may depend on what was measured of the network: that is known, and no last
// digit hangs on it.
[[nodiscard]] bool may_depend_on_network(const Reduction& reduction, const ReductionPlan& plan);

// Predicted, over lanes.
[[nodiscard]] double lane_seconds_for(policy::Operation operation, const Reduction& reduction,
                                      const ReductionPlan& plan, const policy::LaneFacts& lanes,
                                      std::size_t chunks);

// `own` are this rank's values, all of them; `longest_chunk` the items of the longest frame;
// `encodings` how many a codec that can't add them makes for one value of the result, by all ranks.
// Collective over the private communicator where the bound is relative to the value range. Throws
// MpiError.
[[nodiscard]] PreparedReducer prepare_reducer(const Reduction& reduction, const ReductionPlan& plan,
                                              const void* own, std::size_t longest_chunk,
                                              int encodings);

}  // namespace tightwire::collective
