// What every problem with a setting has to say.
#pragma once

#include "input.h"
#include "settings/settings.h"

namespace tightwire::fuzz {

inline void check(const settings::Problem& problem) {
  require(!problem.place.empty() && !problem.reason.empty() && !problem.advice.empty(),
          "a problem says where, what and what to do");
}

inline void check(const std::vector<settings::Problem>& problems) {
  for (const settings::Problem& problem : problems) check(problem);
}

}  // namespace tightwire::fuzz
