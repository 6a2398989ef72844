// Values to integers and back, 16 at a time. Meanings as in portable/block.h.
#pragma once

#include "codec/simd/avx2/wide_block.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Lanes that are too small for the grid: set in all bits.
inline __m256 too_small(__m256 value, const Grid<float>& grid) {
  if (grid.exact_below == 0) return _mm256_setzero_ps();
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), value);
  const __m256i zero = _mm256_cmpeq_epi32(_mm256_castps_si256(value), _mm256_setzero_si256());
  return _mm256_andnot_ps(_mm256_castsi256_ps(zero),
                          _mm256_cmp_ps(magnitude, _mm256_set1_ps(grid.exact_below), _CMP_LT_OQ));
}
inline __m256d too_small(__m256d value, const Grid<double>& grid) {
  if (grid.exact_below == 0) return _mm256_setzero_pd();
  const __m256d magnitude = _mm256_andnot_pd(_mm256_set1_pd(-0.0), value);
  const __m256i zero = _mm256_cmpeq_epi64(_mm256_castpd_si256(value), _mm256_setzero_si256());
  return _mm256_andnot_pd(_mm256_castsi256_pd(zero),
                          _mm256_cmp_pd(magnitude, _mm256_set1_pd(grid.exact_below), _CMP_LT_OQ));
}

// Lanes that are near enough.
inline int quantise_narrow(__m256 value, const Grid<float>& grid, std::int32_t* q) {
  const __m256 above = _mm256_sub_ps(value, _mm256_set1_ps(grid.origin));
  const __m256 scaled = _mm256_mul_ps(above, _mm256_set1_ps(grid.inverse));
  store_256(_mm256_cvtps_epi32(scaled), q);
  const __m256 magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), scaled);
  const __m256 limit = _mm256_set1_ps(static_cast<float>(grid.fast_limit));
  return _mm256_movemask_ps(_mm256_cmp_ps(magnitude, limit, _CMP_LE_OQ));
}

// By way of double.
inline int quantise_four_wide(__m128 value, const Grid<float>& grid, std::int32_t* q) {
  const __m256d above =
      _mm256_sub_pd(_mm256_cvtps_pd(value), _mm256_set1_pd(static_cast<double>(grid.origin)));
  const __m256d scaled = _mm256_mul_pd(above, _mm256_set1_pd(grid.wide_inverse));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(q), _mm256_cvtpd_epi32(scaled));
  const __m256d magnitude = _mm256_andnot_pd(_mm256_set1_pd(-0.0), scaled);
  const __m256d limit = _mm256_set1_pd(static_cast<double>(grid.fast_limit));
  return _mm256_movemask_pd(_mm256_cmp_pd(magnitude, limit, _CMP_LE_OQ));
}

inline int quantise_wide(__m256 value, const Grid<float>& grid, std::int32_t* q) {
  const int low = quantise_four_wide(_mm256_castps256_ps128(value), grid, q);
  return low | quantise_four_wide(_mm256_extractf128_ps(value, 1), grid, q + 4) << 4;
}

inline std::uint32_t quantise_eight(const float* values, const Grid<float>& grid, std::int32_t* q) {
  const __m256 value = _mm256_loadu_ps(values);
  const int near =
      grid.wide_encode ? quantise_wide(value, grid, q) : quantise_narrow(value, grid, q);
  return static_cast<std::uint8_t>(~near | _mm256_movemask_ps(too_small(value, grid)));
}

inline std::uint32_t quantise_four(const double* values, const Grid<double>& grid,
                                   std::int64_t* q) {
  const __m256d value = _mm256_loadu_pd(values);
  const __m256d above = _mm256_sub_pd(value, _mm256_set1_pd(grid.origin));
  const __m256d scaled = _mm256_mul_pd(above, _mm256_set1_pd(grid.inverse));
  const __m256d magic = _mm256_set1_pd(rounder<double>);
  store_256(_mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(scaled, magic)),
                             _mm256_castpd_si256(magic)),
            q);
  const __m256d magnitude = _mm256_andnot_pd(_mm256_set1_pd(-0.0), scaled);
  const __m256d limit = _mm256_set1_pd(static_cast<double>(grid.fast_limit));
  const __m256d near = _mm256_cmp_pd(magnitude, limit, _CMP_LE_OQ);
  const int held = _mm256_movemask_pd(_mm256_andnot_pd(too_small(value, grid), near));
  return static_cast<std::uint32_t>(~held & 15);
}

template <class T>
std::uint32_t quantise_block(const void* values, const Grid<T>& grid, typename Lane<T>::Int* q);

template <>
[[gnu::always_inline]] inline std::uint32_t quantise_block<float>(const void* values,
                                                                  const Grid<float>& grid,
                                                                  std::int32_t* q) {
  const auto* p = static_cast<const float*>(values);
  return quantise_eight(p, grid, q) | quantise_eight(p + 8, grid, q + 8) << 8;
}

template <>
[[gnu::always_inline]] inline std::uint32_t quantise_block<double>(const void* values,
                                                                   const Grid<double>& grid,
                                                                   std::int64_t* q) {
  const auto* p = static_cast<const double*>(values);
  return quantise_four(p, grid, q) | quantise_four(p + 4, grid, q + 4) << 4 |
         quantise_four(p + 8, grid, q + 8) << 8 | quantise_four(p + 12, grid, q + 12) << 12;
}

inline void dequantise_eight(__m256i q, const Grid<float>& grid, float* values) {
  if (!grid.wide_decode) {
    const __m256 above = _mm256_mul_ps(_mm256_cvtepi32_ps(q), _mm256_set1_ps(grid.step));
    _mm256_storeu_ps(values, _mm256_add_ps(above, _mm256_set1_ps(grid.origin)));
    return;
  }
  const __m256d step = _mm256_set1_pd(static_cast<double>(grid.step));
  const __m256d low = _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(q)), step);
  const __m256d high = _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_extracti128_si256(q, 1)), step);
  _mm_storeu_ps(values, _mm256_cvtpd_ps(low));
  _mm_storeu_ps(values + 4, _mm256_cvtpd_ps(high));
}

template <class T>
void dequantise_block(Block<typename Lane<T>::Unsigned> q, const Grid<T>& grid, void* values);

template <>
[[gnu::always_inline]] inline void dequantise_block<float>(Block<std::uint32_t> q,
                                                           const Grid<float>& grid, void* values) {
  auto* p = static_cast<float*>(values);
  dequantise_eight(q.lo, grid, p);
  dequantise_eight(q.hi, grid, p + 8);
}

template <>
[[gnu::always_inline]] inline void dequantise_block<double>(Block<std::uint64_t> q,
                                                            const Grid<double>& grid,
                                                            void* values) {
  const __m256d magic = _mm256_set1_pd(rounder<double>);
  const __m256d step = _mm256_set1_pd(grid.step);
  auto* p = static_cast<double*>(values);
  for (std::size_t i = 0; i < 4; ++i) {
    const __m256i bits = _mm256_add_epi64(q.v[i], _mm256_castpd_si256(magic));
    const __m256d above = _mm256_mul_pd(_mm256_sub_pd(_mm256_castsi256_pd(bits), magic), step);
    _mm256_storeu_pd(p + 4 * i, _mm256_add_pd(above, _mm256_set1_pd(grid.origin)));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
