// The memory that the entropy coder works with beside its values.
#pragma once

#include <memory>
#include <new>
#include <span>

#include "codec/entropy/layout.h"

namespace tightwire::codec::entropy {

// False if there is none.
class Scratch {
 public:
  Scratch(std::uint64_t count, std::size_t value_size, Distances apart)
      : size_(scratch_size(count, value_size, apart)), lines_(new (std::nothrow) Line[lines()]) {}
  explicit operator bool() const { return lines_ != nullptr; }
  [[nodiscard]] std::span<std::byte> bytes() const { return {lines_[0].bytes, size_}; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  [[nodiscard]] std::size_t lines() const { return (size_ + sizeof(Line) - 1) / sizeof(Line); }

  std::size_t size_;
  std::unique_ptr<Line[]> lines_;
};

}  // namespace tightwire::codec::entropy
