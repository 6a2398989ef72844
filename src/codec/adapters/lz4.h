#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

[[nodiscard]] const Codec& lz4();

}  // namespace tightwire::codec
