// Floating-point arithmetic as the codecs need it, whatever the program has set: rounding to
// nearest, subnormals kept, nothing trapped. Programs compiled for fast mathematics flush
// subnormals to zero, others trap on invalid operations, which quantising NaN is.
#pragma once

#include "os/float_state.h"

namespace tightwire::codec {

// In force while it lives, in the thread that made it; then what was before, flags included.
class FloatEnvironment {
 public:
  FloatEnvironment() : before_(os::float_state::read()) {
    os::float_state::write(os::float_state::usual);
  }
  ~FloatEnvironment() { os::float_state::write(before_); }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  os::float_state::State before_;
};

}  // namespace tightwire::codec
