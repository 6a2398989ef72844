// A way of carrying out an operation: MPI's, a baseline's, Tightwire's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comparison/breakdown.h"
#include "comparison/operation.h"

namespace tightwire::comparison {

class Method {
 public:
  explicit Method(std::string name) : name_(std::move(name)) {}
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  // What the error of a result is held against, as a multiple of the error bound.
  [[nodiscard]] virtual double allowed(const Call& call) const {
    return is_reduction(call.operation) ? call.ranks : 1;
  }
  // Before each call, outside the time measured; all ranks call it.
  virtual void prepare() {}
  // Choices that want trying out, once for a call of this kind; all ranks call it.
  virtual void rehearse(const Call& call) { static_cast<void>(call); }
  // How it went about it, where there is something to tell.
  [[nodiscard]] virtual std::string detail() const { return ""; }
  // All ranks call it. Leaves `other` alone.
  virtual Breakdown run(const Call& call) = 0;
  // After each call, outside the time measured: what of its parts is found out only then.
  virtual void settle(Breakdown& parts) { static_cast<void>(parts); }

 private:
  std::string name_;
};

struct Choice {
  double error_bound = 0;  // absolute
  double zfp_rate = 8;     // bits per value
};

// The methods of these names (method_names.h), in the order there; "raw" always first.
[[nodiscard]] std::vector<std::unique_ptr<Method>> make_methods(
    const std::vector<std::string>& names, const Choice& choice);

}  // namespace tightwire::comparison
