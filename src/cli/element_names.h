// Element types as the user writes them, for every command alike.
#pragma once

#include <map>
#include <string>

#include "codec/codec.h"

namespace tightwire::cli {

// "f32", "i16", "bytes" ...; "float32", "int16" ...; and C's names, "float", "short" ...
[[nodiscard]] const std::map<std::string, codec::ElementType>& types_by_name();

// "float32"
[[nodiscard]] std::string name_of(codec::ElementType type);

}  // namespace tightwire::cli
