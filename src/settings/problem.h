// What is wrong with something that the user wrote.
#pragma once

#include <string>

namespace tightwire::settings {

// One thing wrong with one setting, in the words the user needs.
struct Problem {
  std::string key;    // "error-bound"
  std::string value;  // "-1"
  // "command line", "environment variable TIGHTWIRE_ERROR_BOUND" or "tightwire.toml:3"
  std::string place;
  std::string reason;  // "is negative"
  std::string advice;  // "give a positive number such as 1e-4, or rel:1e-4"
};

}  // namespace tightwire::settings
