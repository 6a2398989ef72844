// Reductions in the integer domain, on encodings of the `bounded` codec.
//
// With one grid (same error_bound, same terms) on all ranks, adding encodings is integer
// arithmetic: exact and the same in any order. Values that the grid does not hold are kept as they
// are and reduced in floating point, but a sum of a grid value and a kept -0 or subnormal is the
// grid value. Ownership, thread safety and errors as in codec.h. In
// each call `out` must hold max_encoded_size() bytes of the operand's count and must not overlap an
// input.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec::bounded {

enum class Operation : std::uint8_t { sum, min, max };

// out = encode(decode(a) op decode(b)) without leaving the grid. Error::mismatched_grid when the
// two encodings differ in type, bound or terms; Error::damaged when they differ in count.
Result combine(Operation operation, ElementType type, std::size_t count,
               std::span<const std::byte> a, std::span<const std::byte> b,
               std::span<std::byte> out);

// One fused pass of a step of a ring: out = incoming op encode(own). `parameters` must be those of
// the encoding. Gives the same bytes as encode() followed by combine(incoming, own).
Result combine_values(Operation operation, ElementType type, std::span<const std::byte> incoming,
                      std::span<const std::byte> own, const Parameters& parameters,
                      std::span<std::byte> out);

// The same where `own` is the last operand: `values`, of own's size, becomes decode(out), at less
// than the cost of decoding it. It may be own's memory. An empty `out` stands for no encoding: then
// the size is 0.
Result complete_values(Operation operation, ElementType type, std::span<const std::byte> incoming,
                       std::span<const std::byte> own, const Parameters& parameters,
                       std::span<std::byte> out, std::span<std::byte> values);

}  // namespace tightwire::codec::bounded
