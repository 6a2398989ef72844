// Takes a fuzzer's bytes apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "codec/codec.h"

namespace tightwire::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const std::byte*>(data), size) {}

  // The next byte, or 0 behind the end.
  std::uint8_t byte() {
    if (rest_.empty()) return 0;
    const auto value = std::to_integer<std::uint8_t>(rest_.front());
    rest_ = rest_.subspan(1);
    return value;
  }

  std::uint16_t word() {
    const std::uint8_t low = byte();
    return static_cast<std::uint16_t>(low | byte() << 8);
  }

  // A copy of its own, so that a sanitizer sees every step outside.
  std::vector<std::byte> take(std::size_t size) {
    const auto part = rest_.first(std::min(size, rest_.size()));
    rest_ = rest_.subspan(part.size());
    return {part.begin(), part.end()};
  }
  std::vector<std::byte> rest() { return take(rest_.size()); }

  codec::ElementType type() { return static_cast<codec::ElementType>(byte() % 7); }
  const codec::Codec& codec() { return *codec::all()[byte() % codec::all().size()]; }

 private:
  std::span<const std::byte> rest_;
};

// A promise was broken: the fuzzer keeps the input.
inline void require(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}

}  // namespace tightwire::fuzz
