#include "p2p/method.h"

namespace tightwire::p2p_bench {

std::span<const Method> all_methods() {
  static const std::vector<Method> methods{
      {{"raw", true, {}}, false},
      {{"passed", false, {{"error-bound", "none"}, {"mode", "raw"}}}, false},
      {{"exact", false, {{"error-bound", "none"}, {"mode", "adaptive"}}}, false},
      {{"bounded", false, {{"error-bound", "rel:1e-4"}, {"mode", "adaptive"}}}, true},
      {{"exact+pipelined", false, {{"error-bound", "none"}, {"mode", "adaptive+pipelined"}}},
       false},
      {{"bounded+pipelined", false, {{"error-bound", "rel:1e-4"}, {"mode", "adaptive+pipelined"}}},
       true},
  };
  return methods;
}

}  // namespace tightwire::p2p_bench
