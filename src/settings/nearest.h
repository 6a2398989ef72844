// "Did you mean ...?"
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace tightwire::settings {

// The known name that a typing slip most likely meant; nothing if none is close. Case and the
// difference of '-' and '_' do not count.
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view name,
                                                      const std::vector<std::string_view>& known);

}  // namespace tightwire::settings
