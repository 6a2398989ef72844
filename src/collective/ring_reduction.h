// A reduction as a ring carries it out.
#pragma once

#include <utility>
#include <vector>

#include "collective/reduction.h"
#include "collective/ring.h"

namespace tightwire::collective {

struct RingReduction {
  PreparedHop prepared;
  RingMessage message;
};

// `own` are this rank's values, `result` is null where no result is received. Throws MpiError.
[[nodiscard]] inline RingReduction ring_reduction(const Reduction& reduction,
                                                  const ReductionPlan& plan, const void* own,
                                                  void* result, std::vector<Part> segments) {
  RingReduction ring;
  ring.prepared = prepare_hop(reduction, plan, own, longest_segment(segments));
  ring.message = {static_cast<const std::byte*>(own), static_cast<std::byte*>(result),
                  reduction.type.item_size, std::move(segments), ring.prepared.chunks};
  return ring;
}

}  // namespace tightwire::collective
