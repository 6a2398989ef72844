#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

[[nodiscard]] const Codec& exact_codec();

}  // namespace tightwire::codec
