// Plain C++: the reference for every other instruction set.
#include "codec/simd/generic/headers.h"
#define TIGHTWIRE_ISA portable
// clang-format off
#include "codec/simd/portable/block.h"
#include "codec/simd/generic/exact_kernels.h"
// clang-format on

namespace tightwire::codec::portable {

extern constinit const Kernels kernels = kernels_named("portable", [] { return true; });

}  // namespace tightwire::codec::portable
