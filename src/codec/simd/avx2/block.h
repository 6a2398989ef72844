// A block of 16 lanes in two or four registers of 256 bits. Meanings as in portable/block.h.
#pragma once

#include "codec/simd/avx2/bits.h"
#include "codec/simd/generic/pack_wide.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

inline constexpr std::size_t block_slack = 64;

// Of a vector register.
inline constexpr std::size_t register_bytes = 32;

inline __m256i load_256(const void* in) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(in));
}
inline void store_256(__m256i v, void* out) {
  _mm256_storeu_si256(static_cast<__m256i*>(out), v);
}

template <>
struct Block<std::uint32_t> {
  __m256i lo;
  __m256i hi;

  static Block load(const void* in) {
    const auto* p = static_cast<const std::byte*>(in);
    return {load_256(p), load_256(p + 32)};
  }
  void store(void* out) const {
    auto* p = static_cast<std::byte*>(out);
    store_256(lo, p);
    store_256(hi, p + 32);
  }
  static Block fill(std::uint32_t value) {
    const __m256i all = _mm256_set1_epi32(static_cast<int>(value));
    return {all, all};
  }

  Block operator+(Block b) const {
    return {_mm256_add_epi32(lo, b.lo), _mm256_add_epi32(hi, b.hi)};
  }
  Block operator-(Block b) const {
    return {_mm256_sub_epi32(lo, b.lo), _mm256_sub_epi32(hi, b.hi)};
  }

  Block folded() const { return {fold(lo), fold(hi)}; }
  Block unfolded() const { return {unfold(lo), unfold(hi)}; }

  Block halved() const { return {_mm256_srai_epi32(lo, 1), _mm256_srai_epi32(hi, 1)}; }
  Block ordered() const {
    return {_mm256_xor_si256(lo, _mm256_srli_epi32(_mm256_srai_epi32(lo, 31), 1)),
            _mm256_xor_si256(hi, _mm256_srli_epi32(_mm256_srai_epi32(hi, 31), 1))};
  }

  Block preceded_by(Block before) const { return {shift_in(lo, before.hi), shift_in(hi, lo)}; }
  Block running_sum() const {
    const __m256i first = sum(lo);
    return {first, _mm256_add_epi32(sum(hi), highest(first))};
  }
  Block last() const {
    const __m256i all = highest(hi);
    return {all, all};
  }

  static std::uint32_t equal(Block a, Block b) {
    return set_lanes(_mm256_cmpeq_epi32(a.lo, b.lo)) | set_lanes(_mm256_cmpeq_epi32(a.hi, b.hi))
                                                           << 8;
  }
  static Block chosen(std::uint32_t mask, Block yes, Block no) {
    return {_mm256_blendv_epi8(no.lo, yes.lo, all_bits_of(mask)),
            _mm256_blendv_epi8(no.hi, yes.hi, all_bits_of(mask >> 8))};
  }

  static Block smaller(Block a, Block b) {
    return {_mm256_min_epi32(a.lo, b.lo), _mm256_min_epi32(a.hi, b.hi)};
  }
  static Block larger(Block a, Block b) {
    return {_mm256_max_epi32(a.lo, b.lo), _mm256_max_epi32(a.hi, b.hi)};
  }
  static std::uint32_t add(Block a, Block b, std::int32_t limit, Block& sum) {
    sum = a + b;
    return bad_sums(a.lo, b.lo, sum.lo, limit) | bad_sums(a.hi, b.hi, sum.hi, limit) << 8;
  }

  void pack(unsigned width, std::byte* out) const {
    Block rest = *this;
    for (; width > 8; width -= 8) {
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out), rest.low_bytes());
      rest = {_mm256_srli_epi32(rest.lo, 8), _mm256_srli_epi32(rest.hi, 8)};
      out += 16;
    }
    pack_bits(rest.low_bytes(), width, out);
  }

  [[gnu::always_inline]] static Block unpack(const std::byte* in, unsigned width) {
    if (width == 32) return interleave(in);
    Block all{_mm256_setzero_si256(), _mm256_setzero_si256()};
    unsigned shift = 0;
    for (; shift + 8 < width; shift += 8) {
      const __m128i count = _mm_cvtsi32_si128(static_cast<int>(shift));
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
      const __m256i low = _mm256_cvtepu8_epi32(bytes);
      const __m256i high = _mm256_cvtepu8_epi32(_mm_unpackhi_epi64(bytes, bytes));
      all.lo = _mm256_or_si256(all.lo, _mm256_sll_epi32(low, count));
      all.hi = _mm256_or_si256(all.hi, _mm256_sll_epi32(high, count));
      in += 16;
    }
    const unsigned rest = width - shift;
    const __m128i count = _mm_cvtsi32_si128(static_cast<int>(shift));
    const __m256i low = spread_bits(in, rest);
    const __m256i high = spread_bits(in + rest, rest);
    return {_mm256_or_si256(all.lo, _mm256_sll_epi32(low, count)),
            _mm256_or_si256(all.hi, _mm256_sll_epi32(high, count))};
  }

 private:
  static std::uint32_t set_lanes(__m256i v) {
    return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(v)));
  }
  static __m256i all_bits_of(std::uint32_t mask) {
    const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    const __m256i all = _mm256_set1_epi32(static_cast<int>(mask));
    return _mm256_cmpeq_epi32(_mm256_and_si256(all, bit), bit);
  }
  static __m256i fold(__m256i v) {
    return _mm256_xor_si256(_mm256_add_epi32(v, v), _mm256_srai_epi32(v, 31));
  }
  static __m256i shift_in(__m256i v, __m256i before) {
    return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 12);
  }
  static __m256i unfold(__m256i v) {
    const __m256i sign =
        _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_and_si256(v, _mm256_set1_epi32(1)));
    return _mm256_xor_si256(_mm256_srli_epi32(v, 1), sign);
  }
  static __m256i sum(__m256i v) {
    __m256i s = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    s = _mm256_add_epi32(s, _mm256_slli_si256(s, 8));
    // Zero, then the total of the low half.
    const __m256i total = _mm256_shuffle_epi32(_mm256_permute2x128_si256(s, s, 0x08), 0xFF);
    return _mm256_add_epi32(s, total);
  }
  static __m256i highest(__m256i v) { return _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(7)); }
  static std::uint32_t bad_sums(__m256i a, __m256i b, __m256i sum, std::int32_t limit) {
    const __m256i over = _mm256_and_si256(_mm256_xor_si256(a, sum), _mm256_xor_si256(b, sum));
    const __m256i beyond = _mm256_or_si256(_mm256_cmpgt_epi32(sum, _mm256_set1_epi32(limit)),
                                           _mm256_cmpgt_epi32(_mm256_set1_epi32(-limit), sum));
    return static_cast<std::uint32_t>(
        _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(over, beyond))));
  }
  // Four planes: the lower half of wide lanes.
  static Block interleave(const std::byte* in) {
    const auto* planes = reinterpret_cast<const __m128i*>(in);
    const __m256i a =
        _mm256_permute4x64_epi64(_mm256_castsi128_si256(_mm_loadu_si128(planes)), 0xD8);
    const __m256i b =
        _mm256_permute4x64_epi64(_mm256_castsi128_si256(_mm_loadu_si128(planes + 1)), 0xD8);
    const __m256i c =
        _mm256_permute4x64_epi64(_mm256_castsi128_si256(_mm_loadu_si128(planes + 2)), 0xD8);
    const __m256i d =
        _mm256_permute4x64_epi64(_mm256_castsi128_si256(_mm_loadu_si128(planes + 3)), 0xD8);
    const __m256i low = _mm256_unpacklo_epi8(a, b);  // 0 to 7, 8 to 15: words
    const __m256i high = _mm256_unpacklo_epi8(c, d);
    const __m256i even = _mm256_unpacklo_epi16(low, high);  // 0 to 3, 8 to 11
    const __m256i odd = _mm256_unpackhi_epi16(low, high);   // 4 to 7, 12 to 15
    return {_mm256_permute2x128_si256(even, odd, 0x20), _mm256_permute2x128_si256(even, odd, 0x31)};
  }
  __m128i low_bytes() const {
    const __m256i byte = _mm256_set1_epi32(0xff);
    const __m256i words =
        _mm256_packus_epi32(_mm256_and_si256(lo, byte), _mm256_and_si256(hi, byte));
    const __m256i bytes = _mm256_packus_epi16(words, words);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
    return _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(bytes, order));
  }
};

inline void block_widths(const std::uint32_t* lanes, std::size_t blocks, std::uint8_t* widths) {
  const auto one = [&](std::size_t b) {
    return _mm256_or_si256(load_256(lanes + b * 16), load_256(lanes + b * 16 + 8));
  };
  for (std::size_t b = 0; b < blocks; b += 8) {
    const __m256i any = any_of_halves(any_of_four(one(b), one(b + 1), one(b + 2), one(b + 3)),
                                      any_of_four(one(b + 4), one(b + 5), one(b + 6), one(b + 7)));
    alignas(32) std::uint32_t bits[8];
    store_256(any, bits);
    for (std::size_t i = 0; i < 8; ++i) {
      widths[b + i] = static_cast<std::uint8_t>(std::bit_width(bits[i]));
    }
  }
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
