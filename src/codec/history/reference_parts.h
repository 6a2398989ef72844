// The same part of every reference, as a chunk or the words of a message need it.
#pragma once

#include <array>

#include "codec/codec.h"

namespace tightwire::codec {

class ReferenceParts {
 public:
  // part(bytes) is the part of one.
  template <class Part>
  ReferenceParts(References references, Part part) : size_(references.size()) {
    for (std::size_t k = 0; k < size_; ++k) parts_[k] = part(references[k]);
  }
  // They point into this.
  [[nodiscard]] References all() const { return {parts_.data(), size_}; }

 private:
  std::size_t size_;  // at most most_references
  std::array<std::span<const std::byte>, most_references> parts_;
};

// Whether they can predict so many bytes.
[[nodiscard]] inline bool suit(References references, std::size_t bytes) {
  bool good = references.size() <= most_references;
  for (const std::span<const std::byte> one : references) good = good && one.size() == bytes;
  return good;
}

}  // namespace tightwire::codec
