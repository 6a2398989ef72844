#if defined(__aarch64__)

// clang-format off
#include <arm_neon.h>
#include "codec/generic/headers.h"
#define TIGHTWIRE_ISA neon
#include "codec/neon/quantise.h"
#include "codec/generic/exact_kernels.h"
// clang-format on

namespace tightwire::codec::neon {
namespace {

bool runs() {
  return true;
}  // every AArch64 has it

}  // namespace

extern const Kernels kernels{"neon",
                             runs,
                             bounded_encode,
                             bounded_decode,
                             bounded_combine,
                             bounded_combine_values,
                             bounded_complete_values,
                             bounded_negate,
                             exact_encode,
                             exact_decode,
                             exact_promise};

}  // namespace tightwire::codec::neon

#endif
