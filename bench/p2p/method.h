// A way of sending: plain MPI, or Tightwire with some settings.
#pragma once

#include <span>

#include "calibrate/measure/mode.h"
#include "support/measure.h"

namespace tightwire::p2p_bench {

struct Method {
  bench::Mode mode;
  bool bounded = false;
};

// raw, passed (Tightwire hands everything on), exact and bounded (compress, then send),
// exact+pipelined and bounded+pipelined, exact+helper and bounded+helper (the same with the helper
// thread). The bound is 1e-4 of a message's range.
[[nodiscard]] std::span<const Method> all_methods();

}  // namespace tightwire::p2p_bench
