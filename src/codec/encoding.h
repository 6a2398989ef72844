// How values are encoded.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

struct Encoding {
  const Codec* codec = nullptr;
  ElementType type = ElementType::bytes;
  Parameters parameters;
};

}  // namespace tightwire::codec
