// From here on code is compiled for AVX-512 as of Skylake-X: F, BW, CD, DQ, VL, and BMI2.
#include <immintrin.h>

#include "codec/simd/generic/headers.h"

#define TIGHTWIRE_ISA avx512
#if defined(__clang__)
#pragma clang attribute push(                                                                     \
    __attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt"))), \
    apply_to = function)
#else
// GCC before 13 warns inside its own intrinsics (https://gcc.gnu.org/PR105593).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt,popcnt")
#endif
