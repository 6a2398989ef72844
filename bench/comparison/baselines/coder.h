// The codecs that the baselines use, on float32 values. A failure ends the job: a baseline has
// nothing to fall back on.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace tightwire::comparison {

class Coder {
 public:
  virtual ~Coder() = default;
  // Bytes that always suffice for encode().
  [[nodiscard]] virtual std::size_t capacity(std::size_t count) const = 0;
  // `encoded` is aligned to 8 bytes. Returns the size.
  virtual std::size_t encode(std::span<const float> values, std::span<std::byte> encoded) const = 0;
  virtual void decode(std::span<const std::byte> encoded, std::span<float> values) const = 0;
};

// Tightwire's own `bounded` codec.
[[nodiscard]] std::unique_ptr<Coder> bounded_coder(double error_bound);

// The layout of SZp, also called fZ-light, in plain C++ (bench/codec/szp_layout.cpp).
[[nodiscard]] std::unique_ptr<Coder> szp_coder(double error_bound);

// The layout of SZx, in plain C++ (bench/codec/szx_layout.cpp).
[[nodiscard]] std::unique_ptr<Coder> szx_coder(double error_bound);

// zfp as it comes, on the flat array, as the published systems use it: unlike Tightwire's codecs of
// these names it looks at no value again, so it is faster, and a fixed rate keeps no bound.
[[nodiscard]] std::unique_ptr<Coder> zfp_rate_coder(double bits_per_value);
[[nodiscard]] std::unique_ptr<Coder> zfp_accuracy_coder(double tolerance);

}  // namespace tightwire::comparison
