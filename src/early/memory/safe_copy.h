// Copies memory that the program may free or unmap at any moment.
#pragma once

#include "early/tracking/pages.h"

namespace tightwire::early {

// Copies `from` to the front of `to`, which is at least as large. False if some of it cannot be
// read (any more): never a signal. The bytes are those that were there at some moment during the
// call, each on its own. Thread safe.
[[nodiscard]] bool safe_copy(Bytes from, std::span<std::byte> to);

}  // namespace tightwire::early
