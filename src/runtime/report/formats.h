// A report as text. Pure functions.
#pragma once

#include <string>

#include "runtime/report/totals.h"

namespace tightwire::runtime {

// For people: a table of the calls, then lines on rules, early compression and helper threads.
[[nodiscard]] std::string as_table(const Runtime& runtime, const Totals& totals);

[[nodiscard]] std::string as_json(const Runtime& runtime, const Totals& totals);
// Of this rank alone; `why` is there no whole report: "SIGTERM", "so far".
[[nodiscard]] std::string part_as_json(const Runtime& runtime, const Totals& totals,
                                       const std::string& why);

}  // namespace tightwire::runtime
