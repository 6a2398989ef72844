#if defined(__aarch64__)

// clang-format off
#include <arm_neon.h>
#include "codec/simd/generic/headers.h"
#define TIGHTWIRE_ISA neon
#include "codec/simd/neon/quantise.h"
#include "codec/simd/generic/exact_kernels.h"
// clang-format on

namespace tightwire::codec::neon {
namespace {

bool runs() {
  return true;
}  // every AArch64 has it

}  // namespace

extern constinit const Kernels kernels = kernels_named("neon", runs);

}  // namespace tightwire::codec::neon

#endif
