// A codec tried on a few stretches of the message.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

struct Trial {
  double ratio = 1;
  std::size_t bytes_read = 0;
};

inline constexpr std::size_t longest_trial_stretch = std::size_t{32} << 10;

struct TrialExtent {
  std::size_t bytes = 0;    // that may be read in all
  std::size_t stretch = 0;  // one after the other, at most; no more than longest_trial_stretch
};

[[nodiscard]] Trial try_on_sample(const Codec& codec, std::span<const std::byte> values,
                                  const Parameters& parameters, TrialExtent extent) noexcept;

}  // namespace tightwire::codec
