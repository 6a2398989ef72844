// The second stage of `exact`: what is smallest of all that it knows.
#pragma once

#include "codec/exact/plain.h"

namespace tightwire::codec::exact {

// Allocates.
Result encode_smaller(const Header& header, std::span<const std::byte> values,
                      const Parameters& parameters, std::span<std::byte> encoded);

// Any method but words. Allocates.
Result decode_any(const Header& header, std::span<const std::byte> body, References references,
                  std::span<std::byte> values);

}  // namespace tightwire::codec::exact
