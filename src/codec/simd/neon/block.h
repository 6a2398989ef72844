// A block of 16 lanes in four registers of 128 bits. Meanings as in portable/block.h.
#pragma once

#include "codec/simd/generic/pack_wide.h"
#include "codec/simd/neon/bits.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

inline constexpr std::size_t block_slack = 64;

// Of a vector register.
inline constexpr std::size_t register_bytes = 16;

template <>
struct Block<std::uint32_t> {
  uint32x4_t v[4];

  static Block load(const void* in) {
    const auto* p = static_cast<const std::uint8_t*>(in);
    Block r;
    for (int i = 0; i < 4; ++i) r.v[i] = vreinterpretq_u32_u8(vld1q_u8(p + 16 * i));
    return r;
  }
  void store(void* out) const {
    auto* p = static_cast<std::uint8_t*>(out);
    for (int i = 0; i < 4; ++i) vst1q_u8(p + 16 * i, vreinterpretq_u8_u32(v[i]));
  }
  static Block fill(std::uint32_t value) {
    const uint32x4_t all = vdupq_n_u32(value);
    return {{all, all, all, all}};
  }

  Block operator+(Block b) const {
    for (int i = 0; i < 4; ++i) b.v[i] = vaddq_u32(v[i], b.v[i]);
    return b;
  }
  Block operator-(Block b) const {
    for (int i = 0; i < 4; ++i) b.v[i] = vsubq_u32(v[i], b.v[i]);
    return b;
  }

  Block folded() const {
    Block r;
    for (int i = 0; i < 4; ++i) r.v[i] = veorq_u32(vshlq_n_u32(v[i], 1), sign(v[i]));
    return r;
  }
  Block unfolded() const {
    Block r;
    for (int i = 0; i < 4; ++i) {
      const uint32x4_t odd = vandq_u32(v[i], vdupq_n_u32(1));
      r.v[i] = veorq_u32(vshrq_n_u32(v[i], 1), vsubq_u32(vdupq_n_u32(0), odd));
    }
    return r;
  }
  Block halved() const {
    Block r;
    for (int i = 0; i < 4; ++i) {
      r.v[i] = vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(v[i]), 1));
    }
    return r;
  }
  Block ordered() const {
    Block r;
    for (int i = 0; i < 4; ++i) r.v[i] = veorq_u32(v[i], vshrq_n_u32(sign(v[i]), 1));
    return r;
  }

  Block preceded_by(Block before) const {
    Block r;
    r.v[0] = vextq_u32(before.v[3], v[0], 3);
    for (int i = 1; i < 4; ++i) r.v[i] = vextq_u32(v[i - 1], v[i], 3);
    return r;
  }
  Block running_sum() const {
    const uint32x4_t zero = vdupq_n_u32(0);
    Block r;
    for (int i = 0; i < 4; ++i) {
      uint32x4_t s = vaddq_u32(v[i], vextq_u32(zero, v[i], 3));
      s = vaddq_u32(s, vextq_u32(zero, s, 2));
      r.v[i] = i == 0 ? s : vaddq_u32(s, vdupq_laneq_u32(r.v[i - 1], 3));
    }
    return r;
  }
  Block last() const {
    const uint32x4_t all = vdupq_laneq_u32(v[3], 3);
    return {{all, all, all, all}};
  }

  static std::uint32_t equal(Block a, Block b) {
    std::uint32_t same = 0;
    for (int i = 0; i < 4; ++i) same |= lanes_set(vceqq_u32(a.v[i], b.v[i])) << 4 * i;
    return same;
  }
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    const std::uint32_t bits[4] = {1, 2, 4, 8};
    const uint32x4_t bit = vld1q_u32(bits);
    for (int i = 0; i < 4; ++i) {
      no.v[i] = vbslq_u32(vtstq_u32(vdupq_n_u32(mask >> 4 * i), bit), yes.v[i], no.v[i]);
    }
    return no;
  }

  static Block smaller(Block a, Block b) {
    for (int i = 0; i < 4; ++i) {
      a.v[i] = vreinterpretq_u32_s32(vminq_s32(as_signed(a.v[i]), as_signed(b.v[i])));
    }
    return a;
  }
  static Block larger(Block a, Block b) {
    for (int i = 0; i < 4; ++i) {
      a.v[i] = vreinterpretq_u32_s32(vmaxq_s32(as_signed(a.v[i]), as_signed(b.v[i])));
    }
    return a;
  }
  static std::uint32_t add(Block a, Block b, std::int32_t limit, Block& sum) {
    sum = a + b;
    std::uint32_t bad = 0;
    for (int i = 0; i < 4; ++i) {
      const uint32x4_t s = sum.v[i];
      const uint32x4_t over = sign(vandq_u32(veorq_u32(a.v[i], s), veorq_u32(b.v[i], s)));
      const uint32x4_t beyond = vorrq_u32(vcgtq_s32(as_signed(s), vdupq_n_s32(limit)),
                                          vcltq_s32(as_signed(s), vdupq_n_s32(-limit)));
      bad |= lanes_set(vorrq_u32(over, beyond)) << 4 * i;
    }
    return bad;
  }

  void pack(unsigned width, std::byte* out) const {
    Block rest = *this;
    for (; width > 8; width -= 8) {
      vst1q_u8(reinterpret_cast<std::uint8_t*>(out), rest.low_bytes());
      for (uint32x4_t& lanes : rest.v) lanes = vshrq_n_u32(lanes, 8);
      out += 16;
    }
    const uint64x2_t bytes = vreinterpretq_u64_u8(rest.low_bytes());
    codec::TIGHTWIRE_ISA::store(pack_bytes(vgetq_lane_u64(bytes, 0), width), out);
    codec::TIGHTWIRE_ISA::store(pack_bytes(vgetq_lane_u64(bytes, 1), width), out + width);
  }

  static Block unpack(const std::byte* in, unsigned width) {
    Block all = fill(0);
    int shift = 0;
    for (; shift + 8 < static_cast<int>(width); shift += 8) {
      all.add_bits(spread_bits(in, 8), shift);
      in += 16;
    }
    all.add_bits(spread_bits(in, width - static_cast<unsigned>(shift)), shift);
    return all;
  }

 private:
  static int32x4_t as_signed(uint32x4_t x) { return vreinterpretq_s32_u32(x); }
  static uint32x4_t sign(uint32x4_t x) {
    return vreinterpretq_u32_s32(vshrq_n_s32(as_signed(x), 31));
  }
  void add_bits(const uint32x4x4_t& bits, int shift) {
    for (int i = 0; i < 4; ++i) {
      v[i] = vorrq_u32(v[i], vshlq_u32(bits.val[i], vdupq_n_s32(shift)));
    }
  }
  uint8x16_t low_bytes() const {
    const uint16x8_t low = vcombine_u16(vmovn_u32(v[0]), vmovn_u32(v[1]));
    const uint16x8_t high = vcombine_u16(vmovn_u32(v[2]), vmovn_u32(v[3]));
    return vcombine_u8(vmovn_u16(low), vmovn_u16(high));
  }
};

inline void block_widths(const std::uint32_t* lanes, std::size_t blocks, std::uint8_t* widths) {
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto block = Block<std::uint32_t>::load(lanes + b * 16);
    const uint32x4_t any =
        vorrq_u32(vorrq_u32(block.v[0], block.v[1]), vorrq_u32(block.v[2], block.v[3]));
    // The largest has the highest bit of all.
    widths[b] = static_cast<std::uint8_t>(std::bit_width(vmaxvq_u32(any)));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
