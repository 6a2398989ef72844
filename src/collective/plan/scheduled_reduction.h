// A reduction ready to be carried out: by which algorithm, over which segments, with which reducer.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "collective/plan/reduction_plan.h"
#include "collective/reduce/reduction_frames.h"
#include "runtime/runtime.h"

namespace tightwire::collective {

struct ScheduledReduction {
  policy::Algorithm algorithm = policy::Algorithm::ring;
  PreparedReducer prepared;
  ReductionMessage message;
};

// Along a ring each rank encodes once, merging; where frames are combined that is once more.
[[nodiscard]] constexpr int encodings_of(policy::Algorithm algorithm, int ranks) {
  return algorithm == policy::Algorithm::ring ? ranks : 2 * ranks - 1;
}

// `own` are this rank's values, `result` is null where no result is received. Where the program
// divides the result, `segments` are its parts; else they are empty, and as the algorithm needs
// them. Throws MpiError.
[[nodiscard]] inline ScheduledReduction scheduled(policy::Operation operation,
                                                  const Reduction& reduction,
                                                  const ReductionPlan& plan, const void* own,
                                                  void* result,
                                                  std::vector<mpi::Part> segments = {}) {
  const policy::Schedule schedule = schedule_for(operation, reduction, plan);
  if (segments.empty()) {
    segments = even_segments(
        reduction.items, policy::segments(schedule.algorithm, plan.decision.communicator->size));
  }
  // Segments of the program's may be longer than the schedule knows; no frame may be too long.
  const std::size_t longest_bytes = longest_segment(segments) * reduction.type.item_size;
  const policy::ChunkRange range =
      policy::chunk_range(runtime::current().settings, plan.plan, longest_bytes);
  const std::size_t chunks = std::max(schedule.chunks, range.fewest);
  const std::size_t longest = mpi::longest_part(longest_segment(segments), chunks);
  return {schedule.algorithm,
          prepare_reducer(reduction, plan, own, longest,
                          encodings_of(schedule.algorithm, plan.decision.communicator->size)),
          ReductionMessage{static_cast<const std::byte*>(own), static_cast<std::byte*>(result),
                           reduction.type.item_size, std::move(segments), chunks}};
}

}  // namespace tightwire::collective
