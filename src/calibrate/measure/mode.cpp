#include "calibrate/measure/mode.h"

#include "tightwire.h"

namespace tightwire::calibrate {

const Functions& functions_of(const Mode& mode) {
  return mode.plain ? plain_mpi() : called_by_programs();
}

std::optional<std::string> apply(const Mode& mode) {
  for (const auto& [key, value] : mode.settings) {
    if (tightwire_set(key.c_str(), value.c_str()) == TIGHTWIRE_OK) continue;
    std::string refused = key;
    refused += " = ";
    return refused += value;
  }
  return std::nullopt;
}

}  // namespace tightwire::calibrate
