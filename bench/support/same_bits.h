// Whether ranks hold the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tightwire::bench {

// The same for the same bytes; a multiple of four of them.
[[nodiscard]] std::int64_t hash_of(std::span<const std::byte> values);

// Compares the hashes of the ranks that hold a result; true if none does. Collective.
[[nodiscard]] bool same_everywhere(std::int64_t hash, bool holds_result);

}  // namespace tightwire::bench
