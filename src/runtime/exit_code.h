// Of a job that ends at its beginning, for its processes cannot work together.
#pragma once

namespace tightwire::runtime {

inline constexpr int exit_code = 2;

}  // namespace tightwire::runtime
