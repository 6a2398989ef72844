#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

[[nodiscard]] const Codec& bounded_codec();

}  // namespace tightwire::codec
