#include <cstddef>

#include "settings/settings.h"

namespace tightwire::settings {
namespace {

// Foreign text in a message: one line of printable characters, cut where it gets long.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 80;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const char letter : text) {
    if (result.size() >= longest) return result + "...";
    const auto code = static_cast<unsigned char>(letter);
    if (code < 0x20 || code == 0x7f) {
      result += "\\x";
      result += digits[code >> 4U];
      result += digits[code & 15U];
    } else {
      result += letter;
    }
  }
  return result;
}

}  // namespace

std::string describe(const Problem& problem) {
  std::string text = "tightwire: ";
  if (problem.key.empty()) {
    text += problem.place + ": ";
  } else {
    text += shown(problem.key) + " = \"" + shown(problem.value) + "\" (" + problem.place + "): ";
  }
  text += problem.reason;
  if (!problem.advice.empty()) text += "; " + problem.advice;
  return text;
}

}  // namespace tightwire::settings
