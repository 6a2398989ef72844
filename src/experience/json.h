// Experience as the text of a file, which users may read, copy and delete.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "experience/experience.h"

namespace tightwire::experience {

// A larger file is none of ours.
inline constexpr std::size_t largest_file = std::size_t{4} << 20;

[[nodiscard]] std::string as_json(const Experience& experience, std::string_view version);

// Nothing where it is no such text: of something else, of another format, or damaged. `fault` says
// which, such as "is not JSON". May throw std::bad_alloc.
[[nodiscard]] std::optional<Experience> read_json(std::string_view text, std::string& fault);

}  // namespace tightwire::experience
