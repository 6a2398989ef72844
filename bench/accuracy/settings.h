// Settings of the running job. False: Tightwire refused one.
#pragma once

#include <string>

#include "support/formatted.h"
#include "tightwire.h"

namespace tightwire::accuracy {

[[nodiscard]] inline bool set(const char* key, const std::string& value) {
  return tightwire_set(key, value.c_str()) == TIGHTWIRE_OK;
}

[[nodiscard]] inline bool set_bound(double error_bound, const std::string& applies_to) {
  return set("error-bound", bench::formatted("%.17g", error_bound)) &&
         set("bound-applies-to", applies_to);
}

}  // namespace tightwire::accuracy
