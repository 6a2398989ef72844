// 128-bit hash of bytes: equal hashes mean equal bytes.
//
// XXH3-128 (Collet, xxHash 0.8). Two different contents agree by chance with probability 2^-128.
// The seed is drawn when the process starts, so that no content can be prepared to collide.
#pragma once

#include <cstdint>

#include "early/tracking/pages.h"

namespace tightwire::early {

struct ContentHash {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const ContentHash&) const = default;
};

[[nodiscard]] ContentHash hash_of(Bytes bytes);

}  // namespace tightwire::early
