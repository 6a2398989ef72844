// Values to integers and back, 16 at a time. Meanings as in portable/block.h.
#pragma once

#include "codec/simd/avx512/block.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Lanes that are too small for the grid. Subnormals must not be taken for zero; see
// FloatEnvironment.
inline __mmask16 too_small(__m512 value, const Grid<float>& grid) {
  if (grid.exact_below == 0) return 0;
  const __m512i bits = _mm512_castps_si512(value);
  return _mm512_mask_cmp_ps_mask(_mm512_test_epi32_mask(bits, bits), _mm512_abs_ps(value),
                                 _mm512_set1_ps(grid.exact_below), _CMP_LT_OQ);
}
inline __mmask8 too_small(__m512d value, const Grid<double>& grid) {
  if (grid.exact_below == 0) return 0;
  const __m512i bits = _mm512_castpd_si512(value);
  return _mm512_mask_cmp_pd_mask(_mm512_test_epi64_mask(bits, bits), _mm512_abs_pd(value),
                                 _mm512_set1_pd(grid.exact_below), _CMP_LT_OQ);
}

// By way of double: eight integers, and those that are near enough.
inline __m256i quantise_eight_wide(__m256 value, const Grid<float>& grid, __mmask8& near) {
  const __m512d above =
      _mm512_sub_pd(_mm512_cvtps_pd(value), _mm512_set1_pd(static_cast<double>(grid.origin)));
  const __m512d scaled = _mm512_mul_pd(above, _mm512_set1_pd(grid.wide_inverse));
  const __m512d limit = _mm512_set1_pd(static_cast<double>(grid.fast_limit));
  near = _mm512_cmp_pd_mask(_mm512_abs_pd(scaled), limit, _CMP_LE_OQ);
  return _mm512_cvtpd_epi32(scaled);
}

inline __mmask16 quantise_wide(__m512 value, const Grid<float>& grid, std::int32_t* q) {
  __mmask8 low = 0;
  __mmask8 high = 0;
  const __m256i first = quantise_eight_wide(_mm512_castps512_ps256(value), grid, low);
  const __m256i second = quantise_eight_wide(_mm512_extractf32x8_ps(value, 1), grid, high);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), first);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(q + 8), second);
  return static_cast<__mmask16>(low | high << 8);
}

inline __mmask16 quantise_narrow(__m512 value, const Grid<float>& grid, std::int32_t* q) {
  const __m512 above = _mm512_sub_ps(value, _mm512_set1_ps(grid.origin));
  const __m512 scaled = _mm512_mul_ps(above, _mm512_set1_ps(grid.inverse));
  _mm512_storeu_si512(q, _mm512_cvtps_epi32(scaled));
  const __m512 limit = _mm512_set1_ps(static_cast<float>(grid.fast_limit));
  return _mm512_cmp_ps_mask(_mm512_abs_ps(scaled), limit, _CMP_LE_OQ);
}

template <class T>
std::uint32_t quantise_block(const void* values, const Grid<T>& grid, typename Lane<T>::Int* q);

template <>
[[gnu::always_inline]] inline std::uint32_t quantise_block<float>(const void* values,
                                                                  const Grid<float>& grid,
                                                                  std::int32_t* q) {
  const __m512 value = _mm512_loadu_ps(values);
  const __mmask16 near =
      grid.wide_encode ? quantise_wide(value, grid, q) : quantise_narrow(value, grid, q);
  return _kandn_mask16(too_small(value, grid), near) ^ 0xffffu;
}

inline std::uint32_t quantise_eight(const double* values, const Grid<double>& grid,
                                    std::int64_t* q) {
  const __m512d value = _mm512_loadu_pd(values);
  const __m512d above = _mm512_sub_pd(value, _mm512_set1_pd(grid.origin));
  const __m512d scaled = _mm512_mul_pd(above, _mm512_set1_pd(grid.inverse));
  const __m512d magic = _mm512_set1_pd(rounder<double>);
  _mm512_storeu_si512(q, _mm512_sub_epi64(_mm512_castpd_si512(_mm512_add_pd(scaled, magic)),
                                          _mm512_castpd_si512(magic)));
  const __m512d limit = _mm512_set1_pd(static_cast<double>(grid.fast_limit));
  const __mmask8 near = _mm512_cmp_pd_mask(_mm512_abs_pd(scaled), limit, _CMP_LE_OQ);
  return _kandn_mask8(too_small(value, grid), near) ^ 0xffu;
}

template <>
[[gnu::always_inline]] inline std::uint32_t quantise_block<double>(const void* values,
                                                                   const Grid<double>& grid,
                                                                   std::int64_t* q) {
  const auto* p = static_cast<const double*>(values);
  return quantise_eight(p, grid, q) | quantise_eight(p + 8, grid, q + 8) << 8;
}

template <class T>
void dequantise_block(Block<typename Lane<T>::Unsigned> q, const Grid<T>& grid, void* values);

template <>
[[gnu::always_inline]] inline void dequantise_block<float>(Block<std::uint32_t> q,
                                                           const Grid<float>& grid, void* values) {
  if (!grid.wide_decode) {
    const __m512 above = _mm512_mul_ps(_mm512_cvtepi32_ps(q.v), _mm512_set1_ps(grid.step));
    _mm512_storeu_ps(values, _mm512_add_ps(above, _mm512_set1_ps(grid.origin)));
    return;
  }
  const __m512d step = _mm512_set1_pd(static_cast<double>(grid.step));
  const __m512d low = _mm512_mul_pd(_mm512_cvtepi32_pd(_mm512_castsi512_si256(q.v)), step);
  const __m512d high = _mm512_mul_pd(_mm512_cvtepi32_pd(_mm512_extracti64x4_epi64(q.v, 1)), step);
  auto* p = static_cast<float*>(values);
  _mm256_storeu_ps(p, _mm512_cvtpd_ps(low));
  _mm256_storeu_ps(p + 8, _mm512_cvtpd_ps(high));
}

template <>
[[gnu::always_inline]] inline void dequantise_block<double>(Block<std::uint64_t> q,
                                                            const Grid<double>& grid,
                                                            void* values) {
  const __m512d magic = _mm512_set1_pd(rounder<double>);
  const __m512d step = _mm512_set1_pd(grid.step);
  const __m512d origin = _mm512_set1_pd(grid.origin);
  const auto eight = [&](__m512i integers) {
    const __m512i bits = _mm512_add_epi64(integers, _mm512_castpd_si512(magic));
    const __m512d above = _mm512_mul_pd(_mm512_sub_pd(_mm512_castsi512_pd(bits), magic), step);
    return _mm512_add_pd(above, origin);
  };
  auto* p = static_cast<double*>(values);
  _mm512_storeu_pd(p, eight(q.lo));
  _mm512_storeu_pd(p + 8, eight(q.hi));
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
