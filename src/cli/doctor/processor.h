// What the processor offers to the codecs.
#pragma once

#include <string>

namespace tightwire::cli {

// "x86-64 with SSE4.2, AVX2, AVX-512"
[[nodiscard]] std::string processor_features();

}  // namespace tightwire::cli
