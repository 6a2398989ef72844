#include "early/content_hash.h"

#include <sys/random.h>
#include <xxhash.h>

#include <chrono>

namespace tightwire::early {
namespace {

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  // Without entropy the time has to do.
  if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != static_cast<ssize_t>(sizeof seed)) {
    seed = static_cast<std::uint64_t>(
        std::chrono::high_resolution_clock::now().time_since_epoch().count());
  }
  return seed;
}

}  // namespace

ContentHash hash_of(Bytes bytes) {
  static const std::uint64_t seed = random_seed();
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
  return {hash.low64, hash.high64};
}

}  // namespace tightwire::early
