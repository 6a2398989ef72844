// By which algorithm and in how many chunks a call goes, by predicted time. Pure functions of facts
// that all ranks share, so that all ranks choose alike.
#pragma once

#include <vector>

#include "policy/choose.h"
#include "policy/cost/cost.h"

namespace tightwire::policy {

// What must be gained, by prediction, before it is worth leaving MPI's own way: compressed < this x
// raw.
inline constexpr double gain_to_start = 0.95;

struct Schedule {
  Algorithm algorithm = Algorithm::automatic;
  std::size_t chunks = 1;  // of each piece
  double seconds = 0;      // predicted
};

// In how many chunks a piece of data goes that is only moved and shrinks by `ratio`: the usual
// number, or more, up to two for each rank and 32 in all, where ranks hand it on to others and a
// chunk takes its link far longer than a frame costs. The last rank waits for a chunk at each one
// before it.
[[nodiscard]] std::size_t moved_chunks(const ChunkRange& range, const Facts& facts, double ratio);

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
