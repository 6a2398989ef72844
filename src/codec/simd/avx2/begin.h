// From here on code is compiled for AVX2 as of Haswell. Not FMA, which would round differently; of
// BMI2 the shifts, which compilers choose, but not PEXT and PDEP, which are slow before Zen 3.
#include <immintrin.h>

#include "codec/simd/generic/headers.h"

#define TIGHTWIRE_ISA avx2
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
