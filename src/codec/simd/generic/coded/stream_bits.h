// Values to the bits of a stream.
#pragma once

#include "codec/entropy/layout.h"
#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

// What a token is written as.
struct Written {
  std::uint16_t code = 0;
  std::uint8_t length = 0;
  std::uint8_t extra = 0;

  [[nodiscard]] unsigned bits() const { return unsigned{length} + extra; }
};

// With what stands behind the bits of one store, so many fit into it.
inline constexpr unsigned bits_of_store = 56;

// Appends at most bits_of_store bits, from the lowest upwards, at a place counted in bits. Stores
// eight bytes, with zeros behind the last bit.
[[gnu::always_inline]] inline void put_bits(std::uint64_t bits, unsigned count, std::byte* out,
                                            std::size_t& position) {
  std::byte* const p = out + position / 8;
  store(static_cast<std::uint64_t>(*p) | bits << position % 8, p);
  position += count;
}

// A value's bits are the value, shifted by the length of its code, and an offset: the code less
// what stands above the bits behind it. So they need no mask.
class Offsets {
 public:
  void set(std::size_t token, const Written& as, std::uint64_t head) {
    offset_[token] = as.code - (head << as.length);
    sizes_[token] = {as.length, static_cast<std::uint8_t>(as.bits())};
  }
  // Appends to bits, of which there are `count`.
  [[gnu::always_inline]] void append(std::uint64_t value, std::size_t token, std::uint64_t& bits,
                                     unsigned& count) const {
    bits |= ((value << sizes_[token].code) + offset_[token]) << count;
    count += sizes_[token].all;
  }

 private:
  struct Sizes {
    std::uint8_t code = 0;
    std::uint8_t all = 0;
  };
  std::uint64_t offset_[entropy::most_tokens];
  Sizes sizes_[entropy::most_tokens];
};

// Of any value.
[[gnu::always_inline]] inline void put_value(std::uint64_t value, const Written& as, std::byte* out,
                                             std::size_t& position) {
  constexpr unsigned most = 40;
  const unsigned first = std::min<unsigned>(as.extra, most);
  const std::uint64_t low = value & ((std::uint64_t{1} << first) - 1);
  put_bits(as.code | low << as.length, as.length + first, out, position);
  const unsigned rest = as.extra - first;
  put_bits(value >> most & ((std::uint64_t{1} << rest) - 1), rest, out, position);
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
