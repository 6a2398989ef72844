// Encodes values, decodes them again, and says how it went.
#pragma once

#include <string>
#include <vector>

#include "cli/file/quality.h"
#include "codec/codec.h"

namespace tightwire::cli {

struct Trial {
  const codec::Codec* codec = nullptr;
  codec::Parameters parameters;
  codec::ElementType type{};
  std::vector<std::byte> encoded;
  std::vector<std::byte> decoded;
  double compress_seconds = 0;
  double expand_seconds = 0;
  Quality quality;  // of floating-point values

  [[nodiscard]] double ratio() const;
};

// Throws Refusal if the codec fails, or breaks its promise.
[[nodiscard]] Trial try_codec(const codec::Codec& codec, codec::ElementType type,
                              std::span<const std::byte> values,
                              const codec::Parameters& parameters);

// For people: some lines, each ending in a newline.
[[nodiscard]] std::string describe(const Trial& trial);

}  // namespace tightwire::cli
