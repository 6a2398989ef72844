// 16 lanes of 64 bits, in four registers.
#pragma once

#include "codec/simd/avx2/block.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <>
struct Block<std::uint64_t> {
  __m256i v[4];

  // Indices are constants: in a loop GCC would keep the lanes in memory.
  template <class F>
  static Block each(F f) {
    return {{f(index<0>), f(index<1>), f(index<2>), f(index<3>)}};
  }

  static Block load(const void* in) {
    const auto* p = static_cast<const std::byte*>(in);
    return {{load_256(p), load_256(p + 32), load_256(p + 64), load_256(p + 96)}};
  }
  void store(void* out) const {
    auto* p = static_cast<std::byte*>(out);
    for (std::size_t i = 0; i < 4; ++i) store_256(v[i], p + 32 * i);
  }
  static Block fill(std::uint64_t value) {
    const __m256i all = _mm256_set1_epi64x(static_cast<long long>(value));
    return {{all, all, all, all}};
  }

  Block operator+(Block b) const {
    return each([&](auto i) { return _mm256_add_epi64(v[i], b.v[i]); });
  }
  Block operator-(Block b) const {
    return each([&](auto i) { return _mm256_sub_epi64(v[i], b.v[i]); });
  }

  Block folded() const {
    return each([&](auto i) {
      const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), v[i]);
      return _mm256_xor_si256(_mm256_add_epi64(v[i], v[i]), sign);
    });
  }
  Block unfolded() const {
    return each([&](auto i) {
      const __m256i odd = _mm256_and_si256(v[i], _mm256_set1_epi64x(1));
      const __m256i sign = _mm256_sub_epi64(_mm256_setzero_si256(), odd);
      return _mm256_xor_si256(_mm256_srli_epi64(v[i], 1), sign);
    });
  }
  Block halved() const {
    const __m256i highest_bit = _mm256_set1_epi64x(std::numeric_limits<long long>::min());
    return each([&](auto i) {
      return _mm256_or_si256(_mm256_srli_epi64(v[i], 1), _mm256_and_si256(v[i], highest_bit));
    });
  }
  Block ordered() const {
    return each([&](auto i) {
      const __m256i sign = _mm256_cmpgt_epi64(_mm256_setzero_si256(), v[i]);
      return _mm256_xor_si256(v[i], _mm256_srli_epi64(sign, 1));
    });
  }

  Block preceded_by(Block before) const {
    return {{shift_in(v[0], before.v[3]), shift_in(v[1], v[0]), shift_in(v[2], v[1]),
             shift_in(v[3], v[2])}};
  }
  Block running_sum() const {
    const __m256i a = sum_of_four(v[0]);
    const __m256i b = _mm256_add_epi64(sum_of_four(v[1]), highest(a));
    const __m256i c = _mm256_add_epi64(sum_of_four(v[2]), highest(b));
    const __m256i d = _mm256_add_epi64(sum_of_four(v[3]), highest(c));
    return {{a, b, c, d}};
  }
  Block last() const {
    const __m256i all = highest(v[3]);
    return {{all, all, all, all}};
  }

  static std::uint32_t equal(Block a, Block b) {
    std::uint32_t same = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const __m256i lanes = _mm256_cmpeq_epi64(a.v[i], b.v[i]);
      same |= static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(lanes))) << 4 * i;
    }
    return same;
  }
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
    return each([&](auto i) {
      const __m256i all = _mm256_set1_epi64x(mask >> 4 * i);
      const __m256i lanes = _mm256_cmpeq_epi64(_mm256_and_si256(all, bit), bit);
      return _mm256_blendv_epi8(no.v[i], yes.v[i], lanes);
    });
  }

  static Block smaller(Block a, Block b) { return larger(b, a, a, b); }
  static Block larger(Block a, Block b) { return larger(a, b, a, b); }
  static std::uint32_t add(Block a, Block b, std::int64_t limit, Block& sum) {
    sum = a + b;
    const __m256i most = _mm256_set1_epi64x(limit);
    const __m256i least = _mm256_set1_epi64x(-limit);
    std::uint32_t bad = 0;
    for (int i = 0; i < 4; ++i) {
      const __m256i s = sum.v[i];
      const __m256i over =
          _mm256_and_si256(_mm256_xor_si256(a.v[i], s), _mm256_xor_si256(b.v[i], s));
      const __m256i beyond =
          _mm256_or_si256(_mm256_cmpgt_epi64(s, most), _mm256_cmpgt_epi64(least, s));
      const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_or_si256(over, beyond)));
      bad |= static_cast<std::uint32_t>(mask) << 4 * i;
    }
    return bad;
  }

  // The halves of the lanes.
  Block<std::uint32_t> low() const { return {halves<0x88>(v[0], v[1]), halves<0x88>(v[2], v[3])}; }
  Block<std::uint32_t> high() const { return {halves<0xDD>(v[0], v[1]), halves<0xDD>(v[2], v[3])}; }
  static Block join(Block<std::uint32_t> low) {
    return {{_mm256_cvtepu32_epi64(_mm256_castsi256_si128(low.lo)),
             _mm256_cvtepu32_epi64(_mm256_extracti128_si256(low.lo, 1)),
             _mm256_cvtepu32_epi64(_mm256_castsi256_si128(low.hi)),
             _mm256_cvtepu32_epi64(_mm256_extracti128_si256(low.hi, 1))}};
  }
  static Block join(Block<std::uint32_t> low, Block<std::uint32_t> high) {
    const Block bottom = join(low);
    const Block top = join(high);
    return each(
        [&](auto i) { return _mm256_or_si256(bottom.v[i], _mm256_slli_epi64(top.v[i], 32)); });
  }

  void pack(unsigned width, std::byte* out) const { pack_wide(*this, width, out); }
  [[gnu::always_inline]] static Block unpack(const std::byte* in, unsigned width) {
    return unpack_wide<Block, Block<std::uint32_t>>(in, width);
  }

 private:
  static __m256i shift_in(__m256i v, __m256i before) {
    return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 8);
  }
  template <int i>
  static constexpr std::integral_constant<int, i> index{};

  static __m256i sum_of_four(__m256i x) {
    const __m256i s = _mm256_add_epi64(x, _mm256_slli_si256(x, 8));
    const __m256i total = _mm256_unpackhi_epi64(s, s);
    return _mm256_add_epi64(s, _mm256_permute2x128_si256(total, total, 0x08));
  }
  static __m256i highest(__m256i x) { return _mm256_permute4x64_epi64(x, 0xFF); }
  // Where a > b the lane of `if_so`, else that of `if_not`.
  static Block larger(Block a, Block b, Block if_so, Block if_not) {
    return each([&](auto i) {
      return _mm256_blendv_epi8(if_not.v[i], if_so.v[i], _mm256_cmpgt_epi64(a.v[i], b.v[i]));
    });
  }
  template <int which>
  static __m256i halves(__m256i a, __m256i b) {
    const __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), which);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xD8);
  }
};

inline void block_widths(const std::uint64_t* lanes, std::size_t blocks, std::uint8_t* widths) {
  for (std::size_t b = 0; b < blocks; ++b) {
    const auto block = Block<std::uint64_t>::load(lanes + b * 16);
    const __m256i any = _mm256_or_si256(_mm256_or_si256(block.v[0], block.v[1]),
                                        _mm256_or_si256(block.v[2], block.v[3]));
    const __m128i half =
        _mm_or_si128(_mm256_castsi256_si128(any), _mm256_extracti128_si256(any, 1));
    const auto bits = static_cast<std::uint64_t>(
        _mm_cvtsi128_si64(_mm_or_si128(half, _mm_unpackhi_epi64(half, half))));
    widths[b] = static_cast<std::uint8_t>(std::bit_width(bits));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
