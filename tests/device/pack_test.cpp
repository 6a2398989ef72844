#include "device/kernels/pack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tightwire::device {
namespace {

template <class U>
void expect_there_and_back() {
  std::minstd_rand random(7);
  for (unsigned width = 0; width <= sizeof(U) * 8; ++width) {
    U residuals[block_values];
    for (U& residual : residuals) {
      const std::uint64_t bits = std::uint64_t{random()} << 33 ^ random();
      residual = width == 0 ? U{0} : static_cast<U>(bits >> (64 - width));
    }
    std::vector<std::uint8_t> packed(block_values * sizeof(U) + 12, 0xee);
    pack_block(residuals, width, packed.data());
    EXPECT_EQ(packed[packed_size(width)], 0xee) << width;
    U restored[block_values];
    unpack_block(packed.data(), width, restored);
    EXPECT_EQ(std::vector(restored, restored + block_values),
              std::vector(residuals, residuals + block_values))
        << width;
  }
}

TEST(DevicePack, EveryWidthThereAndBack) {
  expect_there_and_back<std::uint32_t>();
  expect_there_and_back<std::uint64_t>();
}

}  // namespace
}  // namespace tightwire::device
