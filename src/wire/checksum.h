// XXH3-64 of a frame's payload, by the processor's widest registers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tightwire::wire {

// The same number on every processor. Thread safe.
[[nodiscard]] std::uint64_t payload_hash(const void* bytes, std::size_t size, std::uint64_t seed);

}  // namespace tightwire::wire
