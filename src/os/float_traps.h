// What a program wants to be stopped by, or told of, is its own arithmetic. Tightwire reckons as
// well: a rate of a call that took no time is no reason to end a program that traps division by
// zero, as OpenFOAM does, nor one for a note at the end of a Fortran program.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace tightwire::os {

// While it lives, nothing traps in the thread that made it, and at its end the program's flags are
// as they were. Rounding and subnormals stay the program's: MPI adds its values up by them. Within
// another one it does nothing. (Nothing here reckons in long double, so x87's state is left alone.)
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
#if defined(__x86_64__)
  using State = unsigned;
  static State read() {
    return _mm_getcsr();
  }
  // Reading takes less than writing, and hardly any program traps.
  static void write(State state) {
    if (state != read()) _mm_setcsr(state);
  }
  static State without_traps(State state) {
    constexpr State all_masked = 0x1f80;
    return state | all_masked;
  }
#elif defined(__aarch64__)
  struct State {
    std::uint64_t control;
    std::uint64_t flags;
    bool operator==(const State&) const = default;
  };
  static State read() {
    State state;
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(state.control), "=r"(state.flags));
    return state;
  }
  static void write(const State& state) {
    if (state == read()) return;
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(state.control), "r"(state.flags) : "memory");
  }
  static State without_traps(State state) {
    constexpr std::uint64_t all_traps = 0x9f00;
    state.control &= ~all_traps;
    return state;
  }
#else
  using State = std::fenv_t;
  static State read() {
    State state;
    std::fegetenv(&state);
    return state;
  }
  static void write(const State& state) {
    std::fesetenv(&state);
  }
  static State without_traps(const State& state) {
    State now;
    std::feholdexcept(&now);
    std::fegetenv(&now);
    std::fesetenv(&state);
    return now;
  }
#endif

  static void begin(const FloatTrapsOff* outermost) {
    programs_ = read();
    outermost_ = outermost;
    write(without_traps(programs_));
  }
  static void end() {
    outermost_ = nullptr;
    write(programs_);
  }
  // Its end was jumped over: it lay where this one is now, or further down the stack.
  [[nodiscard]] bool left_by_jump() const {
    return outermost_ != nullptr && outermost_ <= this;
  }

  // The library is always loaded at program start, so the fast model is safe.
  [[gnu::tls_model("initial-exec")]] static inline thread_local const FloatTrapsOff* outermost_ =
      nullptr;
  [[gnu::tls_model("initial-exec")]] static inline thread_local State programs_{};
};

}  // namespace tightwire::os
