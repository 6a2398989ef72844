// Finite values from all over a message.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/fill/extent.h"

namespace tightwire::codec {

class Sample {
 public:
  static constexpr std::size_t most = 64;
  template <class T>
  static Sample of(std::span<const std::byte> values);

  [[nodiscard]] std::span<const double> values() const { return {values_.data(), size_}; }
  [[nodiscard]] Extent extent() const;
  // Those of an extent.
  [[nodiscard]] Sample inside(const Extent& extent) const;

 private:
  std::array<double, most> values_{};
  std::size_t size_ = 0;
};

}  // namespace tightwire::codec
