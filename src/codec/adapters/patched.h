// Makes a strict codec of an approximate one: encode() decodes what it made, compares every value
// with the original, and appends the exact bits of those outside the bound.
//
// Layout, little-endian. One byte says how it goes on:
//   0, stored:  the values as they are (where the coder gains nothing)
//   1, patched: u64 XXH3 of all that follows, seeded with count and type; u64 size of the payload;
//               payload; patches to the end, each a LEB128 count of values to skip since the last
//               patch, and the bits of one value.
#pragma once

#include "codec/adapters/approximate.h"

namespace tightwire::codec {

class Patched final : public Codec {
 public:
  // `coder` must outlive this object.
  Patched(Id id, const Approximate& coder) : id_(id), coder_(coder) {}

  Id id() const override { return id_; }
  bool lossy() const override { return true; }
  bool supports(ElementType type) const override { return is_floating_point(type); }
  std::size_t max_encoded_size(ElementType type, std::size_t count) const override;
  Result encode(ElementType type, std::span<const std::byte> values, const Parameters& parameters,
                std::span<std::byte> encoded) const override;
  Result decode(ElementType type, std::span<const std::byte> encoded,
                std::span<std::byte> values) const override;

 private:
  Id id_;
  const Approximate& coder_;
};

}  // namespace tightwire::codec
