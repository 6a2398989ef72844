// What the name of a file says of its values.
#pragma once

#include <string>

#include "codec/codec.h"

namespace tightwire::cli {

// What the extension of a path says (".f32"); throws Refusal where it says nothing.
[[nodiscard]] codec::ElementType type_of_path(const std::string& path);

}  // namespace tightwire::cli
