#pragma once

#include <cstdio>
#include <string>

namespace tightwire::bench {

// What printf() makes of it.
template <class... Values>
[[nodiscard]] std::string formatted(const char* format, Values... values) {
  const int size = std::snprintf(nullptr, 0, format, values...);
  std::string text(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  // The terminating zero overwrites the string's own.
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

}  // namespace tightwire::bench
