#include "wire/checksum.h"

#include <xxhash.h>

namespace tightwire::wire {

#ifdef TIGHTWIRE_WIRE_AVX2
// checksum_avx2.cpp
std::uint64_t payload_hash_avx2(const void* bytes, std::size_t size, std::uint64_t seed);
#endif

std::uint64_t payload_hash(const void* bytes, std::size_t size, std::uint64_t seed) {
#ifdef TIGHTWIRE_WIRE_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2") != 0;
  if (avx2) return payload_hash_avx2(bytes, size, seed);
#endif
  return XXH3_64bits_withSeed(bytes, size, seed);
}

}  // namespace tightwire::wire
