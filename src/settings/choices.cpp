#include "settings/choices.h"

#include <algorithm>
#include <type_traits>

#include "settings/text.h"

namespace tightwire::settings {
namespace {

// What all values of an enumeration print as; they are numbered from 0.
template <class Type>
std::vector<std::string> choices() {
  std::vector<std::string> all;
  if constexpr (std::is_enum_v<Type>) {
    for (unsigned number = 0;; ++number) {
      const std::string text = print(static_cast<Type>(number));
      if (text == "?" || std::find(all.begin(), all.end(), text) != all.end()) break;
      all.push_back(text);
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> choices_of(std::string_view key) {
#define TIGHTWIRE_SETTING(field, name, Type, default_text, help) \
  if (key == (name)) return choices<Type>();
#include "settings/settings.def"
#undef TIGHTWIRE_SETTING
  return {};
}

}  // namespace tightwire::settings
