// Makes schedules that cannot hang in an MPI that keeps its promises, and whose result the standard
// determines, but for the order in which wildcards meet several sources.
//
// The generator is a simulation of matching. It appends steps in one order over all ranks, and a
// step that blocks only where steps before it (or the other half of the same one) have begun all
// that it waits for. So by induction every step ends: a rank that waits is waited for by none that
// it needs. Blocking calls beside started ones, collectives among them, wait for progress that only
// the MPI under test can make.
#pragma once

#include <cstddef>
#include <cstdint>

#include "communicators.h"
#include "plan.h"

namespace semantics {

struct Limits {
  std::size_t threshold = 4096;  // bytes: sizes are drawn around it
  std::size_t largest = std::size_t{1} << 20;
  std::size_t largest_of_records = std::size_t{1} << 20;
  bool truncates = true;   // messages at times
  bool calls_back = true;  // functions of the program that communicate
};

[[nodiscard]] Schedule generate(std::uint64_t seed, const Limits& limits,
                                const std::vector<Communicator>& comms, int ranks);

}  // namespace semantics
