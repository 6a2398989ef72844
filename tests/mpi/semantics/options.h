// The command line of check_semantics.
#pragma once

#include <cstdint>
#include <string>

#include "generate.h"
#include "outcome.h"

namespace semantics {

struct Options {
  std::uint64_t seed = 1;  // of the first schedule
  std::uint64_t count = 1;
  std::string folder = ".";
  Limits limits;
  int threads = 1;
  Judge judge;
};

// Ends the program where the command line makes no sense.
[[nodiscard]] Options parse(int argc, char** argv);

}  // namespace semantics
