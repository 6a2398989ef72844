// What ends one of the file commands: the message names the file or option and says what to do.
// Thrown and caught inside the command alone.
#pragma once

#include <stdexcept>

namespace tightwire::cli {

class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tightwire::cli
