// The text of tightwire --help: made from settings.def and commands.def, 80 columns wide.
#pragma once

#include <string>
#include <string_view>

namespace tightwire::cli {

[[nodiscard]] std::string help_text();

// Breaks `text` at spaces into lines of at most `width` columns, each `indent` spaces in.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent,
                                  std::size_t width = 80);

}  // namespace tightwire::cli
