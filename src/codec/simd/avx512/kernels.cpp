#if defined(__x86_64__)

// clang-format off
#include "codec/simd/avx512/begin.h"
#include "codec/simd/avx512/quantise.h"
#include "codec/simd/generic/exact_kernels.h"
// clang-format on
#include "codec/simd/avx512/end.h"

namespace tightwire::codec::avx512 {
namespace {

// These ask the operating system too, whether it keeps the wide registers.
bool runs() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
}

}  // namespace

extern constinit const Kernels kernels = kernels_named("avx512", runs);

}  // namespace tightwire::codec::avx512

#endif
