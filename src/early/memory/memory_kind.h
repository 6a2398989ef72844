// What kind of memory a buffer lies in, and whether write protection can be trusted there.
#pragma once

#include <string_view>

#include "early/tracking/pages.h"

namespace tightwire::early {

enum class MemoryKind : std::uint8_t {
  ordinary,   // private, anonymous, readable and writable
  unmapped,   // some of it is not mapped
  shared,     // other processes may write to it unseen
  file,       // a private mapping of a file, such as a program's initialised data
  read_only,  // some of it may not be written
  stack,      // of the process's first thread
  special,    // device memory or the kernel's own
};

[[nodiscard]] std::string_view describe(MemoryKind kind);

// Reads /proc/self/maps: some 10 to 100 microseconds. `special` if that cannot be read.
[[nodiscard]] MemoryKind kind_of(const Range& pages);

}  // namespace tightwire::early
