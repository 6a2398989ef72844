#include "p2p/method.h"

#include "tightwire.h"

namespace tightwire::p2p_bench {

std::span<const Method> all_methods() {
  static const std::vector<Method> methods{
      {"raw", true, false, {}},
      {"passed", false, false, {{"error-bound", "none"}, {"mode", "raw"}}},
      {"exact", false, false, {{"error-bound", "none"}, {"mode", "adaptive"}}},
      {"bounded", false, true, {{"error-bound", "rel:1e-4"}, {"mode", "adaptive"}}},
      {"exact+pipelined", false, false, {{"error-bound", "none"}, {"mode", "adaptive+pipelined"}}},
      {"bounded+pipelined",
       false,
       true,
       {{"error-bound", "rel:1e-4"}, {"mode", "adaptive+pipelined"}}},
  };
  return methods;
}

std::optional<std::string> apply(const Method& method) {
  for (const auto& [key, value] : method.settings) {
    if (tightwire_set(key.c_str(), value.c_str()) != TIGHTWIRE_OK) return key + " = " + value;
  }
  return std::nullopt;
}

const Functions& functions_of(const Method& method) {
  return method.plain ? plain_mpi() : called_by_programs();
}

}  // namespace tightwire::p2p_bench
