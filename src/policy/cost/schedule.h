// By which algorithm and in how many chunks a call goes, by predicted time. Pure functions of facts
// that all ranks share, so that all ranks choose alike.
#pragma once

#include <vector>

#include "policy/choose.h"
#include "policy/cost/cost.h"
#include "policy/cost/tree.h"

namespace tightwire::policy {

// What must be gained, by prediction, before it is worth leaving MPI's own way: compressed < this x
// raw.
inline constexpr double gain_to_start = 0.95;

struct Schedule {
  Algorithm algorithm = Algorithm::automatic;
  std::size_t chunks = 1;  // of each piece
  double seconds = 0;      // predicted
};

// A piece of data that is only moved: in the usual number of chunks, or, over a network that is
// known, in the fewest that take about the least: in more than the usual ones where ranks hand it
// on to others, for the last rank waits for a chunk at each one before it.
[[nodiscard]] HandedOn moved(const ChunkRange& range, const Facts& facts, const Speeds& speeds);

// What a call takes before it goes any such way: to find the range of values that its bound is a
// part of.
[[nodiscard]] double seconds_before(const settings::Settings& settings, const Plan& plan,
                                    const Facts& facts);

// What the settings leave open, the fastest first, but a ring before what is hardly faster: each
// algorithm with the chunks that suit it best. An algorithm that the user asked for is the only
// one, for operations that know it.
[[nodiscard]] std::vector<Schedule> schedules(const settings::Settings& settings, const Plan& plan,
                                              const Facts& facts, const Speeds& speeds);

// The first of them.
[[nodiscard]] Schedule schedule(const settings::Settings& settings, const Plan& plan,
                                const Facts& facts, const Speeds& speeds);

}  // namespace tightwire::policy
