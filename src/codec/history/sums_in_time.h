// Sums that are predicted from earlier ones: what these leave of the integers of an encoding that
// is combined on its grid (bounded.h), and back. Integers are added and taken away, so that results
// are the same bits, whatever was predicted from what.
//
// parameters.references are what earlier sums decoded to, on any grid, alike on both sides; there
// is one at least. The other parameters are those of the encodings. Ownership, thread safety and
// errors as in codec.h.
#pragma once

#include "codec/bounded/bounded.h"

namespace tightwire::codec::bounded {

// `out`, at most of max_encoded_size(), is an encoding in time (docs/dev/format.md).
Result leave_of_sums(ElementType type, std::span<const std::byte> encoded,
                     const Parameters& parameters, std::span<std::byte> out);

// As decode() of what was left_of.
Result decode_sums(ElementType type, std::span<const std::byte> left, const Parameters& parameters,
                   std::span<std::byte> values);

// As combine_values() and complete_values() with the encoding that `left` was left of; `arrived`,
// memory of its own of own's size, becomes what that decodes to.
Result combine_values_in_time(Operation operation, ElementType type,
                              std::span<const std::byte> left, std::span<const std::byte> own,
                              const Parameters& parameters, std::span<std::byte> out,
                              std::span<std::byte> arrived);
Result complete_values_in_time(Operation operation, ElementType type,
                               std::span<const std::byte> left, std::span<const std::byte> own,
                               const Parameters& parameters, std::span<std::byte> out,
                               std::span<std::byte> values, std::span<std::byte> arrived);

}  // namespace tightwire::codec::bounded
