// Lanes of 64 bits are packed as two blocks of 32: most residuals fit the first.
#pragma once

#include "codec/simd/generic/scalar.h"

namespace tightwire::codec::TIGHTWIRE_ISA {

template <class U>
struct Block;

template <class Wide>
void pack_wide(const Wide& block, unsigned width, std::byte* out) {
  if (width <= 32) return block.low().pack(width, out);
  block.low().pack(32, out);
  block.high().pack(width - 32, out + 16 * sizeof(std::uint32_t));
}

template <class Wide, class Half>
Wide unpack_wide(const std::byte* in, unsigned width) {
  if (width <= 32) return Wide::join(Half::unpack(in, width));
  return Wide::join(Half::unpack(in, 32),
                    Half::unpack(in + 16 * sizeof(std::uint32_t), width - 32));
}

}  // namespace tightwire::codec::TIGHTWIRE_ISA
