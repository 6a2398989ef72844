// 16 lanes of 64 bits, in eight registers.
#pragma once

#include "codec/simd/neon/block.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <>
struct Block<std::uint64_t> {
  uint64x2_t v[8];

  static Block load(const void* in) {
    const auto* p = static_cast<const std::uint8_t*>(in);
    Block r;
    for (int i = 0; i < 8; ++i) r.v[i] = vreinterpretq_u64_u8(vld1q_u8(p + 16 * i));
    return r;
  }
  void store(void* out) const {
    auto* p = static_cast<std::uint8_t*>(out);
    for (int i = 0; i < 8; ++i) vst1q_u8(p + 16 * i, vreinterpretq_u8_u64(v[i]));
  }
  static Block fill(std::uint64_t value) {
    Block r;
    for (uint64x2_t& lanes : r.v) lanes = vdupq_n_u64(value);
    return r;
  }

  Block operator+(Block b) const {
    for (int i = 0; i < 8; ++i) b.v[i] = vaddq_u64(v[i], b.v[i]);
    return b;
  }
  Block operator-(Block b) const {
    for (int i = 0; i < 8; ++i) b.v[i] = vsubq_u64(v[i], b.v[i]);
    return b;
  }

  Block folded() const {
    Block r;
    for (int i = 0; i < 8; ++i) r.v[i] = veorq_u64(vshlq_n_u64(v[i], 1), sign(v[i]));
    return r;
  }
  Block unfolded() const {
    Block r;
    for (int i = 0; i < 8; ++i) {
      const uint64x2_t odd = vandq_u64(v[i], vdupq_n_u64(1));
      r.v[i] = veorq_u64(vshrq_n_u64(v[i], 1), vsubq_u64(vdupq_n_u64(0), odd));
    }
    return r;
  }
  Block halved() const {
    Block r;
    for (int i = 0; i < 8; ++i) {
      r.v[i] = vreinterpretq_u64_s64(vshrq_n_s64(vreinterpretq_s64_u64(v[i]), 1));
    }
    return r;
  }
  Block ordered() const {
    Block r;
    for (int i = 0; i < 8; ++i) r.v[i] = veorq_u64(v[i], vshrq_n_u64(sign(v[i]), 1));
    return r;
  }

  Block preceded_by(Block before) const {
    Block r;
    r.v[0] = vextq_u64(before.v[7], v[0], 1);
    for (int i = 1; i < 8; ++i) r.v[i] = vextq_u64(v[i - 1], v[i], 1);
    return r;
  }
  Block running_sum() const {
    Block r;
    for (int i = 0; i < 8; ++i) {
      const uint64x2_t s = vaddq_u64(v[i], vextq_u64(vdupq_n_u64(0), v[i], 1));
      r.v[i] = i == 0 ? s : vaddq_u64(s, vdupq_laneq_u64(r.v[i - 1], 1));
    }
    return r;
  }
  Block last() const {
    Block r;
    for (uint64x2_t& lanes : r.v) lanes = vdupq_laneq_u64(v[7], 1);
    return r;
  }

  static std::uint32_t equal(Block a, Block b) {
    std::uint32_t same = 0;
    for (int i = 0; i < 8; ++i) same |= lanes_set(vceqq_u64(a.v[i], b.v[i])) << 2 * i;
    return same;
  }
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    const std::uint64_t bits[2] = {1, 2};
    const uint64x2_t bit = vld1q_u64(bits);
    for (int i = 0; i < 8; ++i) {
      no.v[i] = vbslq_u64(vtstq_u64(vdupq_n_u64(mask >> 2 * i), bit), yes.v[i], no.v[i]);
    }
    return no;
  }

  static Block smaller(Block a, Block b) { return chosen(a, b, b, a); }
  static Block larger(Block a, Block b) { return chosen(a, b, a, b); }
  static std::uint32_t add(Block a, Block b, std::int64_t limit, Block& sum) {
    sum = a + b;
    std::uint32_t bad = 0;
    for (int i = 0; i < 8; ++i) {
      const uint64x2_t s = sum.v[i];
      const uint64x2_t over = sign(vandq_u64(veorq_u64(a.v[i], s), veorq_u64(b.v[i], s)));
      const uint64x2_t beyond = vorrq_u64(vcgtq_s64(as_signed(s), vdupq_n_s64(limit)),
                                          vcltq_s64(as_signed(s), vdupq_n_s64(-limit)));
      bad |= lanes_set(vorrq_u64(over, beyond)) << 2 * i;
    }
    return bad;
  }

  // The halves of the lanes.
  Block<std::uint32_t> low() const {
    Block<std::uint32_t> r;
    for (int i = 0; i < 4; ++i) {
      r.v[i] = vcombine_u32(vmovn_u64(v[2 * i]), vmovn_u64(v[2 * i + 1]));
    }
    return r;
  }
  Block<std::uint32_t> high() const {
    Block<std::uint32_t> r;
    for (int i = 0; i < 4; ++i) {
      r.v[i] = vcombine_u32(vshrn_n_u64(v[2 * i], 32), vshrn_n_u64(v[2 * i + 1], 32));
    }
    return r;
  }
  static Block join(Block<std::uint32_t> low) {
    Block r;
    for (int i = 0; i < 4; ++i) {
      r.v[2 * i] = vmovl_u32(vget_low_u32(low.v[i]));
      r.v[2 * i + 1] = vmovl_u32(vget_high_u32(low.v[i]));
    }
    return r;
  }
  static Block join(Block<std::uint32_t> low, Block<std::uint32_t> high) {
    Block r = join(low);
    const Block top = join(high);
    for (int i = 0; i < 8; ++i) r.v[i] = vorrq_u64(r.v[i], vshlq_n_u64(top.v[i], 32));
    return r;
  }

  void pack(unsigned width, std::byte* out) const { pack_wide(*this, width, out); }
  static Block unpack(const std::byte* in, unsigned width) {
    return unpack_wide<Block, Block<std::uint32_t>>(in, width);
  }

 private:
  static int64x2_t as_signed(uint64x2_t x) { return vreinterpretq_s64_u64(x); }
  static uint64x2_t sign(uint64x2_t x) {
    return vreinterpretq_u64_s64(vshrq_n_s64(as_signed(x), 63));
  }
  // Where a > b the lane of `if_so`, else that of `if_not`.
  static Block chosen(Block a, Block b, Block if_so, Block if_not) {
    for (int i = 0; i < 8; ++i) {
      const uint64x2_t greater = vcgtq_s64(as_signed(a.v[i]), as_signed(b.v[i]));
      a.v[i] = vbslq_u64(greater, if_so.v[i], if_not.v[i]);
    }
    return a;
  }
};

inline void block_widths(const std::uint64_t* lanes, std::size_t blocks, std::uint8_t* widths) {
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto block = Block<std::uint64_t>::load(lanes + b * 16);
    uint64x2_t any = block.v[0];
    for (int i = 1; i < 8; ++i) any = vorrq_u64(any, block.v[i]);
    widths[b] =
        static_cast<std::uint8_t>(std::bit_width(vgetq_lane_u64(any, 0) | vgetq_lane_u64(any, 1)));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
