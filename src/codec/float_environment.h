// Floating-point arithmetic as the codecs need it, whatever the program has set: rounding to
// nearest, subnormals kept, nothing trapped. Programs compiled for fast mathematics flush
// subnormals to zero, others trap on invalid operations, which quantising NaN is.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace tightwire::codec {

// In force while it lives, in the thread that made it; then what was before, flags included.
class FloatEnvironment {
 public:
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

#if defined(__x86_64__)
  FloatEnvironment() : before_(_mm_getcsr()) {
    _mm_setcsr(all_masked);
  }
  ~FloatEnvironment() {
    _mm_setcsr(before_);
  }

 private:
  static constexpr unsigned all_masked = 0x1f80;
  unsigned before_;
#elif defined(__aarch64__)
  FloatEnvironment() {
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(status_));
    asm volatile("msr fpcr, xzr" ::: "memory");
  }
  ~FloatEnvironment() {
    asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" ::"r"(control_), "r"(status_) : "memory");
  }

 private:
  std::uint64_t control_;
  std::uint64_t status_;
#else
  FloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~FloatEnvironment() {
    std::fesetenv(&before_);
  }

 private:
  std::fenv_t before_;
#endif
};

}  // namespace tightwire::codec
