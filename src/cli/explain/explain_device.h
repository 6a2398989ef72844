// What `tightwire explain` says of buffers in the memory of a GPU.
#pragma once

#include <cstdint>
#include <string>

#include "policy/cost/cost.h"
#include "settings/values.h"

namespace tightwire::cli {

// What becomes of them, and what that takes beside the ways of the table.
[[nodiscard]] std::string device_text(settings::Device device, policy::Operation operation,
                                      std::uint64_t bytes);

}  // namespace tightwire::cli
