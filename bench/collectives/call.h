// One collective call on float32 values, and its buffers.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "support/plain_mpi.h"

namespace tightwire::bench {

enum class Collective : std::uint8_t { allreduce, reduce, bcast };

inline constexpr Collective all_collectives[] = {Collective::allreduce, Collective::reduce,
                                                 Collective::bcast};
inline constexpr int root = 0;

[[nodiscard]] std::string_view name_of(Collective collective);
[[nodiscard]] std::optional<Collective> collective_named(std::string_view name);

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

}  // namespace tightwire::bench
