// Plain C++: the reference for every other instruction set.
#include "codec/generic/headers.h"
#define TIGHTWIRE_ISA portable
// clang-format off
#include "codec/portable/block.h"
#include "codec/generic/exact_kernels.h"
// clang-format on

namespace tightwire::codec::portable {

extern const Kernels kernels{"portable",
                             [] { return true; },
                             bounded_encode,
                             bounded_decode,
                             bounded_combine,
                             bounded_combine_values,
                             bounded_complete_values,
                             bounded_negate,
                             exact_encode,
                             exact_decode,
                             exact_promise};

}  // namespace tightwire::codec::portable
