// How long a reduction takes by each algorithm, encoded: formulas of the cost model (cost.h).
#pragma once

#include <functional>

#include "policy/cost/times.h"

namespace tightwire::policy {

// Helpers share a `part` of the message at a time, which has so many `pieces`.
using TimesOf = std::function<Times(double part, double pieces)>;

[[nodiscard]] double reduction_seconds(const Facts& facts, const TimesOf& times_of,
                                       Algorithm algorithm, double chunks);
[[nodiscard]] double scan_seconds(const Times& t);

}  // namespace tightwire::policy
