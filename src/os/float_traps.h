// What a program wants to be stopped by, or told of, is its own arithmetic. Tightwire reckons as
// well: a rate of a call that took no time is no reason to end a program that traps division by
// zero, as OpenFOAM does, nor one for a note at the end of a Fortran program.
#pragma once

#include "os/float_state.h"

namespace tightwire::os {

// While it lives, nothing traps in the thread that made it, and at its end the program's flags are
// as they were. Rounding and subnormals stay the program's: MPI adds its values up by them. Within
// another one it does nothing.
class FloatTrapsOff {
 public:
  FloatTrapsOff() {
    if (left_by_jump()) end();
    if (outermost_ == nullptr) begin(this);
  }
  ~FloatTrapsOff() {
    if (outermost_ == this) end();
  }
  FloatTrapsOff(const FloatTrapsOff&) = delete;
  FloatTrapsOff& operator=(const FloatTrapsOff&) = delete;

  // In one of those, around a function of MPI, which may add up the program's values and call
  // functions of it: that traps, and raises flags, as ever. A callback may leave it by longjmp().
  class Lifted {
   public:
    Lifted() : lifted_(outermost_) {
      if (lifted_ != nullptr) end();
    }
    ~Lifted() {
      if (lifted_ != nullptr) begin(lifted_);
    }
    Lifted(const Lifted&) = delete;
    Lifted& operator=(const Lifted&) = delete;

   private:
    const FloatTrapsOff* lifted_;
  };

 private:
  static void begin(const FloatTrapsOff* outermost) {
    programs_ = float_state::read();
    outermost_ = outermost;
    float_state::write(float_state::without_traps(programs_));
  }
  static void end() {
    outermost_ = nullptr;
    float_state::write(programs_);
  }
  // Its end was jumped over: it lay where this one is now, or further down the stack.
  [[nodiscard]] bool left_by_jump() const { return outermost_ != nullptr && outermost_ <= this; }

  // The library is always loaded at program start, so the fast model is safe.
  [[gnu::tls_model("initial-exec")]] static inline thread_local const FloatTrapsOff* outermost_ =
      nullptr;
  [[gnu::tls_model("initial-exec")]] static inline thread_local float_state::State programs_{};
};

}  // namespace tightwire::os
