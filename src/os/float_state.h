// What a processor keeps of a thread's floating-point arithmetic: its rounding, what traps, and
// which exceptions there have been. x87's, which nothing here reckons with, is left alone.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace tightwire::os::float_state {

#if defined(__x86_64__)

using State = unsigned;

// Rounding to nearest, subnormals kept, nothing trapped; no exceptions yet.
inline constexpr State usual = 0x1f80;

inline State read() {
  return _mm_getcsr();
}
// Reading takes less than writing, and hardly any program changes what is usual.
inline void write(State state) {
  if (state != read()) _mm_setcsr(state);
}
inline State without_traps(State state) {
  return state | usual;
}

#elif defined(__aarch64__)

struct State {
  std::uint64_t control;
  std::uint64_t flags;
  bool operator==(const State&) const = default;
};

inline constexpr State usual{0, 0};

inline State read() {
  State state;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(state.control), "=r"(state.flags));
  return state;
}
inline void write(const State& state) {
  if (state == read()) return;
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(state.control), "r"(state.flags) : "memory");
}
inline State without_traps(State state) {
  constexpr std::uint64_t all_traps = 0x9f00;
  state.control &= ~all_traps;
  return state;
}

#else

using State = std::fenv_t;

inline const State& usual = *FE_DFL_ENV;

inline State read() {
  State state;
  std::fegetenv(&state);
  return state;
}
inline void write(const State& state) {
  std::fesetenv(&state);
}
inline State without_traps(const State& state) {
  State now;
  std::feholdexcept(&now);
  std::fegetenv(&now);
  std::fesetenv(&state);
  return now;
}

#endif

}  // namespace tightwire::os::float_state
