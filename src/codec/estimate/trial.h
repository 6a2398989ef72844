// A codec tried on a few stretches of the message.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

struct Trial {
  double ratio = 1;
  std::size_t bytes_read = 0;
};

// `bytes` is what may be read in all.
[[nodiscard]] Trial try_on_sample(const Codec& codec, std::span<const std::byte> values,
                                  const Parameters& parameters, std::size_t bytes) noexcept;

}  // namespace tightwire::codec
