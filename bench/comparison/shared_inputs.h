#pragma once

#include "comparison/inputs.h"
#include "support/shared_field.h"

namespace tightwire::comparison {

// A field of float32 values as the ranks' inputs; see bench::shared_field().
[[nodiscard]] inline Inputs shared_inputs(const std::string& field, std::size_t bytes,
                                          const std::string& folder) {
  const fields::Field made = bench::shared_field(field, bytes, folder);
  const auto values = made.values<float>();
  return {{values.begin(), values.end()}, made.shape.back(), bench::world_size()};
}

}  // namespace tightwire::comparison
