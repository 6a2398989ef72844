// The range of the finite values of a message: what a grid is fitted to, and what a relative bound
// is a part of.
#pragma once

#include "device/kernels/scalar.h"

namespace tightwire::device {

// The bits of a number in the order of the numbers.
TIGHTWIRE_KERNEL std::uint64_t ordered_bits(float value) {
  const auto bits = bits_as<std::uint32_t>(value);
  return bits >> 31 != 0 ? ~bits & 0xffffffffu : bits | 0x80000000u;
}
TIGHTWIRE_KERNEL std::uint64_t ordered_bits(double value) {
  const auto bits = bits_as<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

// Of ordered bits. Nothing has been seen yet where least > most.
struct OrderedRange {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;

  // Of what lies between the ends of another one. The bits of finite numbers lie within these.
  static constexpr std::uint64_t lowest = 0;
  static constexpr std::uint64_t highest = ~std::uint64_t{0};
  [[nodiscard]] TIGHTWIRE_KERNEL bool has_inside(std::uint64_t word) const {
    return word > least && word < most;
  }

  TIGHTWIRE_KERNEL void take(std::uint64_t word) {
    if (word < least) least = word;
    if (word > most) most = word;
  }
  TIGHTWIRE_KERNEL void take(const OrderedRange& other) {
    if (other.least < least) least = other.least;
    if (other.most > most) most = other.most;
  }
};

struct RangeMemory {
  static constexpr unsigned parts = 256;
  OrderedRange part[parts];
};

// The range of those of `count` values that lie inside of `outer`, and of all that `whole` had seen
// before. Other chunks may be added to it at the same time.
template <class T>
TIGHTWIRE_KERNEL void add_range(auto& lanes, const T* values, unsigned count,
                                const OrderedRange& outer, RangeMemory& memory,
                                OrderedRange& whole) {
  lanes.each(RangeMemory::parts, [&](unsigned part) {
    OrderedRange range;
    for (unsigned i = part; i < count; i += RangeMemory::parts) {
      if (values[i] - values[i] != 0) continue;
      const std::uint64_t word = ordered_bits(values[i]);
      if (outer.has_inside(word)) range.take(word);
    }
    memory.part[part] = range;
  });
  for (unsigned half = RangeMemory::parts / 2; half > 0; half /= 2) {
    lanes.each(half, [&](unsigned i) { memory.part[i].take(memory.part[i + half]); });
  }
  lanes.each(1, [&](unsigned) {
    lanes.lower(whole.least, memory.part[0].least);
    lanes.raise(whole.most, memory.part[0].most);
  });
}

}  // namespace tightwire::device
