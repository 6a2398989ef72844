// Element types as the user writes them.
#pragma once

#include <map>
#include <string>

#include "codec/codec.h"

namespace tightwire::cli {

// "f32", "i16", "bytes" ... and "float32", "int16" ...
[[nodiscard]] const std::map<std::string, codec::ElementType>& types_by_name();

// "float32"
[[nodiscard]] std::string name_of(codec::ElementType type);

// What the extension of a path says (".f32"); throws Refusal where it says nothing.
[[nodiscard]] codec::ElementType type_of_path(const std::string& path);

}  // namespace tightwire::cli
