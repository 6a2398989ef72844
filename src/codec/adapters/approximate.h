// A third-party lossy coder as it comes: it aims at the bound but promises nothing. Patched makes a
// Codec of it. Thread safety as in codec.h; nothing is thrown.
#pragma once

#include <vector>

#include "codec/codec.h"

namespace tightwire::codec {

class Approximate {
 public:
  virtual ~Approximate() = default;

  // Fewer values than this are not worth its while, or not safe to give it.
  [[nodiscard]] virtual std::size_t smallest_count() const = 0;

  // The largest magnitude that it can be given, or is worth giving it; larger values are patched.
  [[nodiscard]] virtual double largest_magnitude(ElementType type, double error_bound) const = 0;

  // Replaces the contents of `payload`. `values` are finite, within largest_magnitude(), and
  // aligned for their type.
  virtual Error encode(ElementType type, std::span<const std::byte> values,
                       const Parameters& parameters, std::vector<std::byte>& payload) const = 0;

  // `payload` is what encode() made unless somebody forged its checksum.
  virtual Error decode(ElementType type, std::span<const std::byte> payload,
                       std::span<std::byte> values) const = 0;
};

}  // namespace tightwire::codec
