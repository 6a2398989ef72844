// Compiled for AVX2, so nothing may be included here that other files compile as well: the linker
// keeps one copy of an inline function, and it might be this one.
#include <xxhash.h>

#include <cstddef>
#include <cstdint>

namespace tightwire::wire {

std::uint64_t payload_hash_avx2(const void* bytes, std::size_t size, std::uint64_t seed);

std::uint64_t payload_hash_avx2(const void* bytes, std::size_t size, std::uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, size, seed);
}

}  // namespace tightwire::wire
