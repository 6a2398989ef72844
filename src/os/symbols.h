// Which function of which file an address of this process's code belongs to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tightwire::os {

struct CodePlace {
  std::string object;        // the program or library, with its folder; empty if not known
  std::uint64_t offset = 0;  // there, as debuggers and addr2line count
  std::string symbol;        // of the function; empty if the file's tables have none
};

// Of the instruction before the address, as return addresses want it. Reads the file's table of
// symbols at each call: to be remembered. Thread safe; throws std::bad_alloc only.
[[nodiscard]] CodePlace code_place(const void* return_address);

// A symbol as its source has it, without parameters: demangled, a Fortran procedure without the
// underscores ("field::exchange" of a module's), and without what compilers add for parts of a
// function.
[[nodiscard]] std::string readable_symbol(std::string_view symbol);

}  // namespace tightwire::os
