// Files that are either complete or not there.
#pragma once

#include <optional>
#include <string>

namespace tightwire::bench {

// Replaces the file; what stood there stays until the new text is safely written. Returns what went
// wrong, naming the file.
[[nodiscard]] std::optional<std::string> write_whole_file(const std::string& path,
                                                          const std::string& text);

}  // namespace tightwire::bench
