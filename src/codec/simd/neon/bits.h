// Bits to lanes and back.
#pragma once

#include "codec/simd/generic/spread_table.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// 16 values of `width` <= 8 bits each. Reads 16 bytes.
inline uint32x4x4_t spread_bits(const std::byte* in, unsigned width) {
  const uint8x16_t bytes = vld1q_u8(reinterpret_cast<const std::uint8_t*>(in));
  const uint32x4_t mask = vdupq_n_u32((1u << width) - 1);
  uint32x4x4_t lanes;
  for (int i = 0; i < 4; ++i) {
    const uint8x16_t at = vld1q_u8(spread_table.bytes[width] + 16 * i);
    const uint32x4_t by = vld1q_u32(spread_table.shifts[width] + 4 * i);
    const int32x4_t right = vnegq_s32(vreinterpretq_s32_u32(by));
    const uint32x4_t pairs = vreinterpretq_u32_u8(vqtbl1q_u8(bytes, at));
    lanes.val[i] = vandq_u32(vshlq_u32(pairs, right), mask);
  }
  return lanes;
}

// Eight bytes of `width` <= 8 bits each, brought together in three steps.
inline std::uint64_t pack_bytes(std::uint64_t bytes, unsigned width) {
  const std::uint64_t even_bytes = 0x00ff00ff00ff00ff;
  const std::uint64_t even_words = 0x0000ffff0000ffff;
  std::uint64_t x = (bytes & even_bytes) | (bytes >> 8 & even_bytes) << width;
  x = (x & even_words) | (x >> 16 & even_words) << 2 * width;
  return (x & 0xffffffff) | x >> 32 << 4 * width;
}

// A bit for each lane whose bits are all set.
inline std::uint32_t lanes_set(uint32x4_t lanes) {
  const std::uint32_t bit[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(lanes, vld1q_u32(bit)));
}
inline std::uint32_t lanes_set(uint64x2_t lanes) {
  return static_cast<std::uint32_t>((vgetq_lane_u64(lanes, 0) & 1) |
                                    (vgetq_lane_u64(lanes, 1) & 2));
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
