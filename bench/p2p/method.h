// A way of sending: plain MPI, or Tightwire with some settings.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "p2p/functions.h"

namespace tightwire::p2p_bench {

struct Method {
  std::string name;
  bool plain = false;
  bool bounded = false;
  std::vector<std::pair<std::string, std::string>> settings;  // as for tightwire_set()
};

// raw, passed (Tightwire hands everything on), exact and bounded (compress, then send),
// exact+pipelined and bounded+pipelined. The bound is 1e-4 of a message's range.
[[nodiscard]] std::span<const Method> all_methods();

// Puts the method in force on this rank; all ranks must do so at the same place. Returns the
// setting that was refused, as "key = value".
[[nodiscard]] std::optional<std::string> apply(const Method& method);

[[nodiscard]] const Functions& functions_of(const Method& method);

}  // namespace tightwire::p2p_bench
