// Inside of src/settings: who could have written a file that nobody named?
#pragma once

#include <string>

namespace tightwire::os {

// Why the open file, which was found in the current folder, may hold another user's overrides: it
// or the folder belongs to somebody else than this process's user and root, or can be written by
// others. A group in which the user is alone is no other. Empty if only the user and root could
// have put it there.
[[nodiscard]] std::string distrust(int file);

}  // namespace tightwire::os
