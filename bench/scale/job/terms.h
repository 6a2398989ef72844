// Terms of sums that do not depend on the number of ranks: each value of the result has the same
// eight, dealt to as many of the ranks, where all others have a zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comparison/operation.h"
#include "scale/job/field.h"

namespace tightwire::scale {

inline constexpr int dealt_terms = 8;  // and the fewest ranks

// Those of a rank; `field` has as many vectors as there are terms. Throws std::runtime_error where
// there are too few ranks.
[[nodiscard]] std::vector<float> terms_of(const SharedField& field, std::size_t count, int rank,
                                          int ranks);

// Of what a reduction left at this rank, for all ranks to add up: the sum tells by the bits of each
// value and its place, and not by how ranks divide the result. Of an allreduce the first rank's
// alone: the others have the same or are found out.
[[nodiscard]] std::uint64_t bits_of_sum(const comparison::Call& call);

}  // namespace tightwire::scale
