// Values to integers and back, 16 at a time. Meanings as in portable/block.h.
#pragma once

#include "codec/simd/neon/wide_block.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// Lanes that are too small for the grid, all bits set.
inline uint32x4_t too_small(uint32x4_t bits, const Grid<float>& grid) {
  if (grid.exact_below == 0) return vdupq_n_u32(0);
  const float32x4_t magnitude = vabsq_f32(vreinterpretq_f32_u32(bits));
  return vandq_u32(vtstq_u32(bits, bits), vcltq_f32(magnitude, vdupq_n_f32(grid.exact_below)));
}
inline uint64x2_t too_small(uint64x2_t bits, const Grid<double>& grid) {
  if (grid.exact_below == 0) return vdupq_n_u64(0);
  const float64x2_t magnitude = vabsq_f64(vreinterpretq_f64_u64(bits));
  return vandq_u64(vtstq_u64(bits, bits), vcltq_f64(magnitude, vdupq_n_f64(grid.exact_below)));
}

// Lanes that are near enough, all bits set.
inline uint32x4_t quantise_narrow(float32x4_t value, const Grid<float>& grid, std::int32_t* q) {
  const float32x4_t above = vsubq_f32(value, vdupq_n_f32(grid.origin));
  const float32x4_t scaled = vmulq_n_f32(above, grid.inverse);
  vst1q_s32(q, vcvtnq_s32_f32(scaled));
  const float32x4_t limit = vdupq_n_f32(static_cast<float>(grid.fast_limit));
  return vcleq_f32(vabsq_f32(scaled), limit);
}

// By way of double.
inline uint32x2_t quantise_two_wide(float64x2_t value, const Grid<float>& grid, std::int32_t* q) {
  const float64x2_t above = vsubq_f64(value, vdupq_n_f64(static_cast<double>(grid.origin)));
  const float64x2_t scaled = vmulq_n_f64(above, grid.wide_inverse);
  vst1_s32(q, vmovn_s64(vcvtnq_s64_f64(scaled)));
  const float64x2_t limit = vdupq_n_f64(static_cast<double>(grid.fast_limit));
  return vmovn_u64(vcleq_f64(vabsq_f64(scaled), limit));
}

inline uint32x4_t quantise_wide(float32x4_t value, const Grid<float>& grid, std::int32_t* q) {
  const uint32x2_t low = quantise_two_wide(vcvt_f64_f32(vget_low_f32(value)), grid, q);
  return vcombine_u32(low, quantise_two_wide(vcvt_high_f64_f32(value), grid, q + 2));
}

template <class T>
std::uint32_t quantise_block(const void* values, const Grid<T>& grid, typename Lane<T>::Int* q);

template <>
[[gnu::always_inline]] inline std::uint32_t quantise_block<float>(const void* values,
                                                                  const Grid<float>& grid,
                                                                  std::int32_t* q) {
  const auto block = Block<std::uint32_t>::load(values);
  std::uint32_t held = 0;
  for (int i = 0; i < 4; ++i) {
    const float32x4_t value = vreinterpretq_f32_u32(block.v[i]);
    const uint32x4_t near = grid.wide_encode ? quantise_wide(value, grid, q + 4 * i)
                                             : quantise_narrow(value, grid, q + 4 * i);
    held |= lanes_set(vbicq_u32(near, too_small(block.v[i], grid))) << 4 * i;
  }
  return ~held & 0xffff;
}

template <>
[[gnu::always_inline]] inline std::uint32_t quantise_block<double>(const void* values,
                                                                   const Grid<double>& grid,
                                                                   std::int64_t* q) {
  const auto block = Block<std::uint64_t>::load(values);
  const float64x2_t limit = vdupq_n_f64(static_cast<double>(grid.fast_limit));
  const float64x2_t magic = vdupq_n_f64(rounder<double>);
  std::uint32_t held = 0;
  for (int i = 0; i < 8; ++i) {
    const float64x2_t above =
        vsubq_f64(vreinterpretq_f64_u64(block.v[i]), vdupq_n_f64(grid.origin));
    const float64x2_t scaled = vmulq_n_f64(above, grid.inverse);
    const float64x2_t rounded = vaddq_f64(scaled, magic);
    vst1q_s64(q + 2 * i, vsubq_s64(vreinterpretq_s64_f64(rounded), vreinterpretq_s64_f64(magic)));
    const uint64x2_t near = vcleq_f64(vabsq_f64(scaled), limit);
    held |= lanes_set(vbicq_u64(near, too_small(block.v[i], grid))) << 2 * i;
  }
  return ~held & 0xffff;
}

inline float32x4_t dequantise_four(int32x4_t q, const Grid<float>& grid) {
  if (!grid.wide_decode) {
    return vaddq_f32(vmulq_n_f32(vcvtq_f32_s32(q), grid.step), vdupq_n_f32(grid.origin));
  }
  const auto step = static_cast<double>(grid.step);
  const float64x2_t low = vmulq_n_f64(vcvtq_f64_s64(vmovl_s32(vget_low_s32(q))), step);
  const float64x2_t high = vmulq_n_f64(vcvtq_f64_s64(vmovl_high_s32(q)), step);
  return vcombine_f32(vcvt_f32_f64(low), vcvt_f32_f64(high));
}

template <class T>
void dequantise_block(Block<typename Lane<T>::Unsigned> q, const Grid<T>& grid, void* values);

template <>
[[gnu::always_inline]] inline void dequantise_block<float>(Block<std::uint32_t> q,
                                                           const Grid<float>& grid, void* values) {
  Block<std::uint32_t> bits;
  for (int i = 0; i < 4; ++i) {
    bits.v[i] = vreinterpretq_u32_f32(dequantise_four(vreinterpretq_s32_u32(q.v[i]), grid));
  }
  bits.store(values);
}

template <>
[[gnu::always_inline]] inline void dequantise_block<double>(Block<std::uint64_t> q,
                                                            const Grid<double>& grid,
                                                            void* values) {
  const float64x2_t magic = vdupq_n_f64(rounder<double>);
  Block<std::uint64_t> bits;
  for (int i = 0; i < 8; ++i) {
    const uint64x2_t sum = vaddq_u64(q.v[i], vreinterpretq_u64_f64(magic));
    const float64x2_t value = vsubq_f64(vreinterpretq_f64_u64(sum), magic);
    const float64x2_t above = vmulq_n_f64(value, grid.step);
    bits.v[i] = vreinterpretq_u64_f64(vaddq_f64(above, vdupq_n_f64(grid.origin)));
  }
  bits.store(values);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
