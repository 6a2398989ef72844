// Plain C++: the reference for every other instruction set.
#define TIGHTWIRE_ISA portable
#include "codec/generic/bounded_kernels.h"

namespace tightwire::codec::portable {

const Kernels kernels{"portable", bounded_encode, bounded_decode, bounded_combine,
                      bounded_combine_values};

}  // namespace tightwire::codec::portable
