// Bits to lanes and back, and what several vectors have in common.
#pragma once

namespace tightwire::codec::TIGHTWIRE_ISA {

// For each width to 8: where in 8 bytes the 8 packed values begin, and the factors that bring
// neighbours together.
struct BitTable {
  alignas(32) std::uint8_t bytes[9][32];
  alignas(32) std::uint32_t shifts[9][8];
  alignas(16) std::uint8_t byte_factors[8][16];
  alignas(16) std::uint16_t word_factors[8][8];
};

constexpr BitTable make_bit_table() {
  BitTable table{};
  for (unsigned width = 0; width <= 8; ++width) {
    for (std::size_t i = 0; i < 8; ++i) {
      const std::size_t first = i * width / 8;
      table.bytes[width][4 * i] = static_cast<std::uint8_t>(first);
      table.bytes[width][4 * i + 1] = static_cast<std::uint8_t>(first + 1);
      table.bytes[width][4 * i + 2] = 0x80;
      table.bytes[width][4 * i + 3] = 0x80;
      table.shifts[width][i] = i * width % 8;
    }
  }
  for (unsigned width = 0; width < 8; ++width) {
    for (unsigned i = 0; i < 16; ++i) {
      table.byte_factors[width][i] = static_cast<std::uint8_t>(i % 2 == 0 ? 1u : 1u << width);
    }
    for (unsigned i = 0; i < 8; ++i) {
      table.word_factors[width][i] = static_cast<std::uint16_t>(i % 2 == 0 ? 1u : 1u << 2 * width);
    }
  }
  return table;
}
inline constexpr BitTable bit_table = make_bit_table();

// 8 values of `width` <= 8 bits each. Reads 16 bytes.
inline __m256i spread_bits(const std::byte* in, unsigned width) {
  const __m256i bytes =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
  const __m256i at = _mm256_load_si256(reinterpret_cast<const __m256i*>(bit_table.bytes[width]));
  const __m256i by = _mm256_load_si256(reinterpret_cast<const __m256i*>(bit_table.shifts[width]));
  return _mm256_and_si256(_mm256_srlv_epi32(_mm256_shuffle_epi8(bytes, at), by),
                          _mm256_set1_epi32((1 << width) - 1));
}

// 16 bytes of `width` <= 8 bits each. Writes 16 bytes.
inline void pack_bits(__m128i bytes, unsigned width, std::byte* out) {
  if (width == 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bytes);
    return;
  }
  const auto* byte_factors = reinterpret_cast<const __m128i*>(bit_table.byte_factors[width]);
  const auto* word_factors = reinterpret_cast<const __m128i*>(bit_table.word_factors[width]);
  const __m128i pairs = _mm_maddubs_epi16(_mm_load_si128(byte_factors), bytes);
  const __m128i fours = _mm_madd_epi16(pairs, _mm_load_si128(word_factors));
  const __m128i low = _mm_and_si128(fours, _mm_set1_epi64x(0xffffffff));
  const __m128i high =
      _mm_sll_epi64(_mm_srli_epi64(fours, 32), _mm_cvtsi32_si128(static_cast<int>(4 * width)));
  const __m128i eights = _mm_or_si128(low, high);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out), eights);
  _mm_storel_epi64(reinterpret_cast<__m128i*>(out + width), _mm_unpackhi_epi64(eights, eights));
}

// The bits that any lane of four vectors has; the four results stand in each 128 bits.
inline __m256i any_of_four(__m256i a, __m256i b, __m256i c, __m256i d) {
  const __m256i ab = _mm256_or_si256(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
  const __m256i cd = _mm256_or_si256(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
  return _mm256_or_si256(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd));
}

// Those of the halves of each operand, one after the other.
inline __m256i any_of_halves(__m256i a, __m256i b) {
  return _mm256_or_si256(_mm256_permute2x128_si256(a, b, 0x20),
                         _mm256_permute2x128_si256(a, b, 0x31));
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
