#if defined(__x86_64__)

// clang-format off
#include "codec/simd/avx2/begin.h"
#include "codec/simd/avx2/quantise.h"
#include "codec/simd/generic/exact_kernels.h"
// clang-format on
#include "codec/simd/avx2/end.h"

namespace tightwire::codec::avx2 {
namespace {

// These ask the operating system too, whether it keeps the wide registers.
bool runs() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

}  // namespace

extern constinit const Kernels kernels = kernels_named("avx2", runs);

}  // namespace tightwire::codec::avx2

#endif
