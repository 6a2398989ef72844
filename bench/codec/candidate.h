// What the benchmark compares: codecs behind the interface, and layouts implemented here as
// reference. Single-threaded; throws std::runtime_error when a codec fails.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/codec.h"

namespace tightwire::bench {

class Candidate {
 public:
  virtual ~Candidate() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool lossy() const = 0;
  [[nodiscard]] virtual bool supports(codec::ElementType type) const = 0;
  [[nodiscard]] virtual std::size_t max_encoded_size(codec::ElementType type,
                                                     std::size_t count) const = 0;
  // Returns the bytes written.
  virtual std::size_t encode(codec::ElementType type, std::span<const std::byte> values,
                             const codec::Parameters& parameters,
                             std::span<std::byte> encoded) const = 0;
  virtual void decode(codec::ElementType type, std::span<const std::byte> encoded,
                      std::span<std::byte> values) const = 0;
  // The share of an encoding's blocks of which no value has bits of its own, as papers count
  // constant blocks; nothing where it has no blocks. What a block is, and when it is one: at each.
  [[nodiscard]] virtual std::optional<double> constant_blocks(
      codec::ElementType /*type*/, std::size_t /*count*/,
      std::span<const std::byte> /*encoded*/) const {
    return std::nullopt;
  }
};

// memcpy first, then every codec of the build, then the references.
[[nodiscard]] std::vector<std::unique_ptr<Candidate>> candidates();

[[nodiscard]] std::unique_ptr<Candidate> szp_layout();
[[nodiscard]] std::unique_ptr<Candidate> szx_layout();
[[nodiscard]] std::unique_ptr<Candidate> shuffled_zstd();

}  // namespace tightwire::bench
