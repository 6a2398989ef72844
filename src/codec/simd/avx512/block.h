// A block of 16 lanes in one or two registers of 512 bits. Meanings as in portable/block.h.
#pragma once

#include "codec/simd/avx512/spread.h"
#include "codec/simd/generic/pack_wide.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

inline constexpr std::size_t block_slack = 64;

// Of a vector register.
inline constexpr std::size_t register_bytes = 64;

template <class U>
struct Block;

template <>
struct Block<std::uint32_t> {
  __m512i v;

  static Block load(const void* in) { return {_mm512_loadu_si512(in)}; }
  void store(void* out) const { _mm512_storeu_si512(out, v); }
  static Block fill(std::uint32_t value) { return {_mm512_set1_epi32(static_cast<int>(value))}; }

  Block operator+(Block b) const { return {_mm512_add_epi32(v, b.v)}; }
  Block operator-(Block b) const { return {_mm512_sub_epi32(v, b.v)}; }

  Block folded() const {
    return {_mm512_xor_si512(_mm512_add_epi32(v, v), _mm512_srai_epi32(v, 31))};
  }
  Block unfolded() const {
    const __m512i sign =
        _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_and_si512(v, _mm512_set1_epi32(1)));
    return {_mm512_xor_si512(_mm512_srli_epi32(v, 1), sign)};
  }

  Block halved() const { return {_mm512_srai_epi32(v, 1)}; }
  Block ordered() const {
    return {_mm512_xor_si512(v, _mm512_srli_epi32(_mm512_srai_epi32(v, 31), 1))};
  }

  Block preceded_by(Block before) const { return {_mm512_alignr_epi32(v, before.v, 15)}; }
  Block running_sum() const {
    __m512i s = _mm512_add_epi32(v, _mm512_bslli_epi128(v, 4));
    s = _mm512_add_epi32(s, _mm512_bslli_epi128(s, 8));
    return {add_lane_totals<std::uint32_t>(s)};
  }
  Block last() const { return {_mm512_permutexvar_epi32(_mm512_set1_epi32(15), v)}; }

  static std::uint32_t equal(Block a, Block b) { return _mm512_cmpeq_epi32_mask(a.v, b.v); }
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    return {_mm512_mask_mov_epi32(no.v, static_cast<__mmask16>(mask), yes.v)};
  }

  static Block smaller(Block a, Block b) { return {_mm512_min_epi32(a.v, b.v)}; }
  static Block larger(Block a, Block b) { return {_mm512_max_epi32(a.v, b.v)}; }
  static std::uint32_t add(Block a, Block b, std::int32_t limit, Block& sum) {
    sum = a + b;
    const __m512i over =
        _mm512_and_si512(_mm512_xor_si512(a.v, sum.v), _mm512_xor_si512(b.v, sum.v));
    const __mmask16 beyond =
        _mm512_cmpgt_epu32_mask(_mm512_abs_epi32(sum.v), _mm512_set1_epi32(limit));
    return static_cast<std::uint32_t>(_mm512_movepi32_mask(over) | beyond);
  }

  [[gnu::always_inline]] void pack(unsigned width, std::byte* out) const {
    __m512i rest = v;
    for (; width > 8; width -= 8) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_cvtepi32_epi8(rest));
      rest = _mm512_srli_epi32(rest, 8);
      out += 16;
    }
    const __m128i bytes = _mm512_cvtepi32_epi8(rest);
    const std::uint64_t mask = low_bits_of_bytes[width];
    const auto low = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
    const auto high = static_cast<std::uint64_t>(_mm_extract_epi64(bytes, 1));
    codec::TIGHTWIRE_ISA::store(_pext_u64(low, mask), out);
    codec::TIGHTWIRE_ISA::store(_pext_u64(high, mask), out + width);
  }

  [[gnu::always_inline]] static Block unpack(const std::byte* in, unsigned width) {
    if (width <= 8) return {spread_bits(in, width)};
    __m512i all = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
    unsigned shift = 8;
    for (; shift + 8 < width; shift += 8) {
      in += 16;
      const __m512i plane =
          _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
      all =
          _mm512_or_si512(all, _mm512_sll_epi32(plane, _mm_cvtsi32_si128(static_cast<int>(shift))));
    }
    const __m512i top = spread_bits(in + 16, width - shift);
    return {
        _mm512_or_si512(all, _mm512_sll_epi32(top, _mm_cvtsi32_si128(static_cast<int>(shift))))};
  }
};

template <>
struct Block<std::uint64_t> {
  __m512i lo;
  __m512i hi;

  static Block load(const void* in) {
    const auto* p = static_cast<const std::byte*>(in);
    return {_mm512_loadu_si512(p), _mm512_loadu_si512(p + 64)};
  }
  void store(void* out) const {
    auto* p = static_cast<std::byte*>(out);
    _mm512_storeu_si512(p, lo);
    _mm512_storeu_si512(p + 64, hi);
  }
  static Block fill(std::uint64_t value) {
    const __m512i all = _mm512_set1_epi64(static_cast<long long>(value));
    return {all, all};
  }

  Block operator+(Block b) const {
    return {_mm512_add_epi64(lo, b.lo), _mm512_add_epi64(hi, b.hi)};
  }
  Block operator-(Block b) const {
    return {_mm512_sub_epi64(lo, b.lo), _mm512_sub_epi64(hi, b.hi)};
  }

  Block folded() const { return {fold(lo), fold(hi)}; }
  Block unfolded() const { return {unfold(lo), unfold(hi)}; }

  Block halved() const { return {_mm512_srai_epi64(lo, 1), _mm512_srai_epi64(hi, 1)}; }
  Block ordered() const {
    return {_mm512_xor_si512(lo, _mm512_srli_epi64(_mm512_srai_epi64(lo, 63), 1)),
            _mm512_xor_si512(hi, _mm512_srli_epi64(_mm512_srai_epi64(hi, 63), 1))};
  }

  Block preceded_by(Block before) const {
    return {_mm512_alignr_epi64(lo, before.hi, 7), _mm512_alignr_epi64(hi, lo, 7)};
  }
  Block running_sum() const {
    const __m512i first = sum(lo);
    const __m512i seven = _mm512_set1_epi64(7);
    return {first, _mm512_add_epi64(sum(hi), _mm512_permutexvar_epi64(seven, first))};
  }
  Block last() const {
    const __m512i all = _mm512_permutexvar_epi64(_mm512_set1_epi64(7), hi);
    return {all, all};
  }

  static std::uint32_t equal(Block a, Block b) {
    const std::uint32_t low = _mm512_cmpeq_epi64_mask(a.lo, b.lo);
    return low | static_cast<std::uint32_t>(_mm512_cmpeq_epi64_mask(a.hi, b.hi)) << 8;
  }
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    return {_mm512_mask_mov_epi64(no.lo, static_cast<__mmask8>(mask), yes.lo),
            _mm512_mask_mov_epi64(no.hi, static_cast<__mmask8>(mask >> 8), yes.hi)};
  }

  static Block smaller(Block a, Block b) {
    return {_mm512_min_epi64(a.lo, b.lo), _mm512_min_epi64(a.hi, b.hi)};
  }
  static Block larger(Block a, Block b) {
    return {_mm512_max_epi64(a.lo, b.lo), _mm512_max_epi64(a.hi, b.hi)};
  }
  static std::uint32_t add(Block a, Block b, std::int64_t limit, Block& sum) {
    sum = a + b;
    return bad_sums(a.lo, b.lo, sum.lo, limit) | bad_sums(a.hi, b.hi, sum.hi, limit) << 8;
  }

  // The halves of the lanes.
  Block<std::uint32_t> low() const {
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return {_mm512_permutex2var_epi32(lo, even, hi)};
  }
  Block<std::uint32_t> high() const {
    const __m512i odd =
        _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return {_mm512_permutex2var_epi32(lo, odd, hi)};
  }
  static Block join(Block<std::uint32_t> low) {
    return {_mm512_cvtepu32_epi64(_mm512_castsi512_si256(low.v)),
            _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(low.v, 1))};
  }
  static Block join(Block<std::uint32_t> low, Block<std::uint32_t> high) {
    const Block bottom = join(low);
    const Block top = join(high);
    return {_mm512_or_si512(bottom.lo, _mm512_slli_epi64(top.lo, 32)),
            _mm512_or_si512(bottom.hi, _mm512_slli_epi64(top.hi, 32))};
  }

  [[gnu::always_inline]] void pack(unsigned width, std::byte* out) const {
    pack_wide(*this, width, out);
  }
  [[gnu::always_inline]] static Block unpack(const std::byte* in, unsigned width) {
    return unpack_wide<Block, Block<std::uint32_t>>(in, width);
  }

 private:
  static __m512i fold(__m512i v) {
    return _mm512_xor_si512(_mm512_add_epi64(v, v), _mm512_srai_epi64(v, 63));
  }
  static __m512i unfold(__m512i v) {
    const __m512i sign =
        _mm512_sub_epi64(_mm512_setzero_si512(), _mm512_and_si512(v, _mm512_set1_epi64(1)));
    return _mm512_xor_si512(_mm512_srli_epi64(v, 1), sign);
  }
  static __m512i sum(__m512i v) {
    return add_lane_totals<std::uint64_t>(_mm512_add_epi64(v, _mm512_bslli_epi128(v, 8)));
  }
  static std::uint32_t bad_sums(__m512i a, __m512i b, __m512i sum, std::int64_t limit) {
    const __m512i over = _mm512_and_si512(_mm512_xor_si512(a, sum), _mm512_xor_si512(b, sum));
    const __mmask8 beyond =
        _mm512_cmpgt_epu64_mask(_mm512_abs_epi64(sum), _mm512_set1_epi64(limit));
    return static_cast<std::uint32_t>(_mm512_movepi64_mask(over) | beyond);
  }
};

// Lane by lane, the bits that any of four vectors has; its four results stand in each 128 bits.
inline __m512i any_of_four(__m512i a, __m512i b, __m512i c, __m512i d) {
  const __m512i ab = _mm512_or_si512(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  const __m512i cd = _mm512_or_si512(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  return _mm512_or_si512(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
}

// The bits that any 128 of each operand have, the operands' results one after the other.
inline __m512i any_of_lanes(__m512i a, __m512i b, __m512i c, __m512i d) {
  const __m512i ab =
      _mm512_or_si512(_mm512_shuffle_i32x4(a, b, 0x44), _mm512_shuffle_i32x4(a, b, 0xEE));
  const __m512i cd =
      _mm512_or_si512(_mm512_shuffle_i32x4(c, d, 0x44), _mm512_shuffle_i32x4(c, d, 0xEE));
  return _mm512_or_si512(_mm512_shuffle_i32x4(ab, cd, 0x88), _mm512_shuffle_i32x4(ab, cd, 0xDD));
}

inline void block_widths(const std::uint32_t* lanes, std::size_t blocks, std::uint8_t* widths) {
  const auto four = [&](std::size_t b) {
    const std::uint32_t* p = lanes + b * 16;
    return any_of_four(_mm512_loadu_si512(p), _mm512_loadu_si512(p + 16),
                       _mm512_loadu_si512(p + 32), _mm512_loadu_si512(p + 48));
  };
  for (std::size_t b = 0; b < blocks; b += 16) {
    const __m512i any = any_of_lanes(four(b), four(b + 4), four(b + 8), four(b + 12));
    const __m512i width = _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(any));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(widths + b), _mm512_cvtepi32_epi8(width));
  }
}

inline void block_widths(const std::uint64_t* lanes, std::size_t blocks, std::uint8_t* widths) {
  const auto one = [&](std::size_t b) {
    const std::uint64_t* p = lanes + b * 16;
    return _mm512_or_si512(_mm512_loadu_si512(p), _mm512_loadu_si512(p + 8));
  };
  const auto two = [&](std::size_t b) {
    const __m512i x = one(b);
    const __m512i y = one(b + 1);
    return _mm512_or_si512(_mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
  };
  for (std::size_t b = 0; b < blocks; b += 8) {
    const __m512i any = any_of_lanes(two(b), two(b + 2), two(b + 4), two(b + 6));
    const __m512i width = _mm512_sub_epi64(_mm512_set1_epi64(64), _mm512_lzcnt_epi64(any));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(widths + b), _mm512_cvtepi64_epi8(width));
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
