#include <cstring>

#include "support/same_bits.h"

namespace tightwire::bench {

// FNV-1a over whole words: equal bits give equal hashes, and a slip would have to be very unlucky.
std::int64_t hash_of(std::span<const std::byte> values) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (std::size_t i = 0; i < values.size(); i += sizeof(std::uint32_t)) {
    std::uint32_t word = 0;
    std::memcpy(&word, values.data() + i, sizeof word);
    hash = (hash ^ word) * 0x100000001B3U;
  }
  return static_cast<std::int64_t>(hash >> 2);  // can be negated
}

}  // namespace tightwire::bench
