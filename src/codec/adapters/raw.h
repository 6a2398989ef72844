#pragma once

#include "codec/codec.h"

namespace tightwire::codec {

[[nodiscard]] const Codec& raw();

}  // namespace tightwire::codec
