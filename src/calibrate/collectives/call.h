// One collective call on float32 values, and its buffers.
#pragma once

#include <span>
#include <vector>

#include "calibrate/collectives/collective.h"
#include "calibrate/measure/plain_mpi.h"

namespace tightwire::calibrate {

inline constexpr int root = 0;

struct Buffers {
  std::vector<float> own;       // this rank's contribution
  std::vector<float> received;  // as long
};

// What a call of the first `count` values leaves at this rank: for bcast the root's values, for
// others their sum; empty where the rank receives none.
[[nodiscard]] std::span<const float> result_of(Collective collective, const Buffers& buffers,
                                               std::size_t count, int rank);

// Overwrites the result, so that a call that does nothing is noticed.
void spoil_result(Collective collective, Buffers& buffers, std::size_t count, int rank);

void run(Collective collective, const Functions& functions, Buffers& buffers, std::size_t count,
         int rank);

}  // namespace tightwire::calibrate
