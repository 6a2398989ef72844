// One point of the comparison: an operation of one size by all methods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "calibrate/measure/alternate.h"
#include "comparison/inputs.h"
#include "comparison/method.h"
#include "comparison/rows.h"
#include "support/measure.h"

namespace tightwire::comparison {

// Fills in what is measured of `rows`, one for each method; the rest of them stays. All ranks call
// it; all get the same. With `save`, rank 0 leaves its results in that folder. Returns what went
// wrong, on rank 0.
[[nodiscard]] std::optional<std::string> compare(
    const std::vector<std::unique_ptr<Method>>& methods, const Call& call, const Inputs& inputs,
    double error_bound, const bench::Effort& effort, const std::string& save,
    std::vector<Row>& rows);

}  // namespace tightwire::comparison
