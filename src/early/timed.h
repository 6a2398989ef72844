// Adds the time of its own life to a sum.
#pragma once

#include "early/buffer.h"

namespace tightwire::early {

class Timed {
 public:
  explicit Timed(double& sum) : sum_(sum), start_(Clock::now()) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { sum_ += seconds(Clock::now() - start_); }

 private:
  double& sum_;
  const Clock::time_point start_;
};

}  // namespace tightwire::early
