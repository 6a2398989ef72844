#include "wire/checksum.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <vector>

namespace tightwire::wire {
namespace {

// Other instructions, the same number: a frame may come from another processor.
TEST(Checksum, IsXxh3ForEveryLength) {
  std::vector<unsigned char> bytes(1 << 20);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(i * 2654435761U >> 13);
  }
  for (std::size_t size = 0; size <= bytes.size(); size += 1 + size / 7) {
    for (const std::uint64_t seed : {std::uint64_t{0}, ~std::uint64_t{41}}) {
      EXPECT_EQ(payload_hash(bytes.data(), size, seed),
                XXH3_64bits_withSeed(bytes.data(), size, seed))
          << size;
    }
  }
}

}  // namespace
}  // namespace tightwire::wire
