#include "p2p/method.h"

namespace tightwire::p2p_bench {
namespace {

Method compressed(const std::string& name, const std::string& bound, const std::string& mode,
                  const std::string& threads) {
  const std::string cut = mode == "adaptive" ? "auto" : "8";
  return {{name,
           false,
           {{"error-bound", bound}, {"mode", mode}, {"chunks", cut}, {"threads", threads}}},
          bound != "none"};
}

}  // namespace

std::span<const Method> all_methods() {
  static const std::string bound = "rel:1e-4";
  static const std::string chunks = "adaptive+pipelined";
  static const std::vector<Method> methods{
      {{"raw", true, {}}, false},
      compressed("passed", "none", "raw", "1"),
      compressed("exact", "none", "adaptive", "1"),
      compressed("bounded", bound, "adaptive", "1"),
      compressed("exact+pipelined", "none", chunks, "1"),
      compressed("bounded+pipelined", bound, chunks, "1"),
      compressed("exact+helper", "none", chunks, "2"),
      compressed("bounded+helper", bound, chunks, "2"),
  };
  return methods;
}

}  // namespace tightwire::p2p_bench
