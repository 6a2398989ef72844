// Bits to lanes, and sums across lanes.
#pragma once

#include "codec/simd/generic/spread_table.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// The low `width` bits of every byte.
inline constexpr std::uint64_t low_bits_of_bytes[9] = {
    0x0000000000000000, 0x0101010101010101, 0x0303030303030303,
    0x0707070707070707, 0x0f0f0f0f0f0f0f0f, 0x1f1f1f1f1f1f1f1f,
    0x3f3f3f3f3f3f3f3f, 0x7f7f7f7f7f7f7f7f, 0xffffffffffffffff,
};

// 16 values of `width` <= 8 bits each. Reads 16 bytes.
inline __m512i spread_bits(const std::byte* in, unsigned width) {
  const __m512i bytes =
      _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
  const __m512i pairs = _mm512_shuffle_epi8(bytes, _mm512_load_si512(spread_table.bytes[width]));
  const __m512i shifted = _mm512_srlv_epi32(pairs, _mm512_load_si512(spread_table.shifts[width]));
  return _mm512_and_si512(shifted, _mm512_set1_epi32((1 << width) - 1));
}

// Given running sums within each 128 bits, those across all 512.
template <class U>
__m512i add_lane_totals(__m512i s) {
  if constexpr (sizeof(U) == 4) {
    const __m512i odd = _mm512_setr_epi32(0, 0, 0, 0, 3, 3, 3, 3, 0, 0, 0, 0, 11, 11, 11, 11);
    s = _mm512_add_epi32(s, _mm512_maskz_permutexvar_epi32(0xF0F0, odd, s));
    return _mm512_add_epi32(s, _mm512_maskz_permutexvar_epi32(0xFF00, _mm512_set1_epi32(7), s));
  } else {
    const __m512i odd = _mm512_setr_epi64(0, 0, 1, 1, 0, 0, 5, 5);
    s = _mm512_add_epi64(s, _mm512_maskz_permutexvar_epi64(0xCC, odd, s));
    return _mm512_add_epi64(s, _mm512_maskz_permutexvar_epi64(0xF0, _mm512_set1_epi64(3), s));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
