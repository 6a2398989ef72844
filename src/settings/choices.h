// The values of a setting of which there are but a few, for completion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tightwire::settings {

// In the order of values.h; nothing where numbers, names of files or words of any kind are values,
// or there is no such setting.
[[nodiscard]] std::vector<std::string> choices_of(std::string_view key);

}  // namespace tightwire::settings
