// The one object of every codec, raw_codec() and its like. Each is defined beside its codec.
#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

#define TIGHTWIRE_CODEC(id, ...) [[nodiscard]] const Codec& id##_codec();
#define TIGHTWIRE_CARRIED_CODEC TIGHTWIRE_CODEC
#include "codecs.def"

}  // namespace tightwire::codec
