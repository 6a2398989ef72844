#include "p2p/method.h"

namespace tightwire::p2p_bench {
namespace {

Method compressed(const std::string& name, const std::string& bound, const std::string& mode,
                  const std::string& helper) {
  const std::string cut = mode == "adaptive" ? "auto" : "8";
  return {{name,
           false,
           {{"error-bound", bound}, {"mode", mode}, {"chunks", cut}, {"helper-thread", helper}}},
          bound != "none"};
}

}  // namespace

std::span<const Method> all_methods() {
  static const std::string bound = "rel:1e-4";
  static const std::string chunks = "adaptive+pipelined";
  static const std::vector<Method> methods{
      {{"raw", true, {}}, false},
      compressed("passed", "none", "raw", "off"),
      compressed("exact", "none", "adaptive", "off"),
      compressed("bounded", bound, "adaptive", "off"),
      compressed("exact+pipelined", "none", chunks, "off"),
      compressed("bounded+pipelined", bound, chunks, "off"),
      compressed("exact+helper", "none", chunks, "on"),
      compressed("bounded+helper", bound, chunks, "on"),
  };
  return methods;
}

}  // namespace tightwire::p2p_bench
