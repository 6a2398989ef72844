// Why a call goes as it goes: every way there is, with its predicted time, and the reasons.
#pragma once

#include <string>
#include <vector>

#include "policy/cost/schedule.h"

namespace tightwire::policy {

struct Way {
  Tier tier = Tier::raw;
  codec::Id codec = codec::Id::raw;
  Algorithm algorithm = Algorithm::automatic;
  std::size_t chunks = 1;  // of each piece
  double ratio = 1;
  double seconds = 0;  // predicted
};

struct Explanation {
  Plan plan;                         // by settings and size alone
  Way choice;                        // what a job would begin with; it learns from the clock
  Way raw;                           // by plain MPI
  std::vector<Way> others;           // all but those two, the fastest first
  std::vector<std::string> reasons;  // whole sentences
};

// Of data of this type; `ratio` 0 stands for what is typical of the codec.
[[nodiscard]] Explanation explain(const settings::Settings& settings, const Facts& facts,
                                  codec::ElementType type, double ratio);

}  // namespace tightwire::policy
