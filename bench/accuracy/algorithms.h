// Sums by every algorithm and codec, and how far each is from the exact one.
#pragma once

#include <optional>
#include <string>

#include "comparison/inputs.h"

namespace tightwire::accuracy {

inline constexpr const char* algorithms_header =
    "field,codec,algorithm,ranks,error_bound,max_error_over_bound,psnr_db,nrmse,bits_of_ring,"
    "ranks_identical\n";

// Rows of float32 sums with the bound on each contribution; nothing if Tightwire refused a setting.
// Leaves codec and algorithm as they are by default. Collective.
[[nodiscard]] std::optional<std::string> sums_by_algorithm(const std::string& field,
                                                           const comparison::Inputs& inputs,
                                                           double error_bound);

}  // namespace tightwire::accuracy
