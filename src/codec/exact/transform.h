// What values are turned into before they are predicted, so that they are small integers; see
// docs/dev/format.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/bounded/layout.h"
#include "codec/codec.h"
#include "codec/history/in_time.h"

namespace tightwire::codec::exact {

enum class TransformKind : std::uint8_t {
  ordered = 0,       // the bits, in the order of the values
  narrowed = 1,      // float64 that are all float32: the bits of these
  shifted = 2,       // without zero bits at the end that all have
  quotients = 3,     // whole numbers, which divided by one number are the values
  extrapolated = 4,  // less what earlier messages say of them
};

inline constexpr std::size_t most_fills = 4;
// So that adding a large number rounds to whole ones, see simd/generic/transforms.h.
[[nodiscard]] constexpr std::uint8_t widest_quotient(std::size_t element_size) {
  return element_size == 4 ? 21 : 50;
}

struct Transform {
  TransformKind kind = TransformKind::ordered;
  std::uint8_t shift = 0;                // of `shifted`
  double divisor = 1;                    // of `quotients`, as the rest
  std::uint8_t width = 0;                // whole numbers have fewer bits than this
  std::uint8_t fill_count = 0;           // values that are no quotients
  std::uint64_t fills[most_fills] = {};  // their bits; number k is the integer 2^width + k
  std::uint8_t order = 0;  // of `extrapolated`, as the rest: from so many of the references
  References references = {};
  // A bit for each tile's worth of values, set where they are taken as they are; empty: nowhere.
  std::span<const std::byte> left_out = {};
};

// Bytes of `left_out` where it is not empty.
using bounded::left_out_size;

// What suits a sample of the values. Others may not fit.
[[nodiscard]] Transform choose_transform(ElementType type, std::span<const std::byte> values);

[[nodiscard]] std::size_t transform_size(ElementType type, const Transform& transform);
void write_transform(ElementType type, const Transform& transform, std::byte* out);
// Returns how many bytes were read; 0 means damage. What follows them is not known to be there.
// Of `extrapolated` there are as many references as its order, of those given.
[[nodiscard]] std::size_t read_transform(ElementType type, std::uint64_t count,
                                         std::span<const std::byte> in, References references,
                                         Transform& transform);

}  // namespace tightwire::codec::exact
