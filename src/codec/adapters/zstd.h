#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

[[nodiscard]] const Codec& zstd();

}  // namespace tightwire::codec
