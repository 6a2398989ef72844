#pragma once

#include <sstream>
#include <string>

namespace check {

// text("root ", 3) == "root 3"
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
  std::ostringstream stream;
  stream.precision(17);
  (stream << ... << parts);
  return stream.str();
}

}  // namespace check
