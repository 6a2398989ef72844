// Tries codecs on values that are on their way, without changing anything.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "audit/profile.h"

namespace tightwire::audit {

// A sample reads at most so many bytes of a message.
inline constexpr std::size_t largest_sample = std::size_t{64} << 10;

// Keeps its memory between samples. Not thread safe.
class Sampler {
 public:
  // `terms`: how many ranks' values a sum adds up; 1 where nothing is added. `values` are whole
  // ones, at most largest_sample bytes of them. `earlier`: those of messages before it on its
  // channel, which it may be predicted from; where there are none, what that gives is not known.
  // Throws std::bad_alloc.
  [[nodiscard]] Samples take(codec::ElementType type, std::span<const std::byte> values,
                             unsigned terms, codec::References earlier = {});

 private:
  [[nodiscard]] Tried attempt(std::size_t choice, codec::ElementType type,
                              std::span<const std::byte> values,
                              const codec::Parameters& parameters);
  [[nodiscard]] Tried in_time(std::size_t choice, codec::ElementType type,
                              std::span<const std::byte> values, codec::Parameters parameters,
                              codec::References earlier);

  std::vector<std::byte> encoded_;
  std::vector<std::byte> decoded_;
};

}  // namespace tightwire::audit
