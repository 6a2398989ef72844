// How many cases of chance a test makes.
#pragma once

#include <cstdlib>

namespace tightwire::codec {

// Under a sanitizer, which takes twenty times as long, a quarter of them, unless
// TIGHTWIRE_ALL_CASES is set: ./run soak sanitizers.
template <class Number>
Number random_cases(Number all) {
  const bool sanitized = *TIGHTWIRE_SANITIZE != '\0';
  return sanitized && std::getenv("TIGHTWIRE_ALL_CASES") == nullptr ? all / 4 : all;
}

}  // namespace tightwire::codec
