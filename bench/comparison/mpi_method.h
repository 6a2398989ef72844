// The operations through one MPI call each: MPI's own functions, or those under Tightwire.
#pragma once

#include "calibrate/measure/plain_mpi.h"
#include "comparison/method.h"
#include "comparison/own_times.h"
#include "support/measure.h"

namespace tightwire::comparison {

// Returns MPI's error code.
int run_mpi(const bench::Functions& functions, const Call& call, MPI_Comm comm);

class PlainMpi final : public Method {
 public:
  using Method::Method;
  Breakdown run(const Call& call) override;
};

// The program under Tightwire. What its codec takes it tells itself.
class Tightwire final : public Method {
 public:
  Tightwire(std::string name, std::string error_bound, std::string bound_applies_to)
      : Method(std::move(name)),
        error_bound_(std::move(error_bound)),
        bound_applies_to_(std::move(bound_applies_to)) {}

  [[nodiscard]] double allowed(const Call& call) const override {
    return bound_applies_to_ == "result" ? 1 : Method::allowed(call);
  }
  void prepare() override;
  Breakdown run(const Call& call) override;
  void settle(Breakdown& parts) override;

 private:
  std::string error_bound_;
  std::string bound_applies_to_;
  OwnTimes before_;  // the call
};

}  // namespace tightwire::comparison
