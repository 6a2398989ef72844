// The shared libraries that a program would load, as the dynamic loader itself resolves them when
// it is asked as ldd(1) asks: no code of the program or of a library runs. (ld.so --list would end
// at the first library that is missing.)
#pragma once

#include <string>
#include <vector>

namespace tightwire::cli {

struct Library {
  std::string name;  // "libmpi.so.40"
  std::string path;  // empty if it was not found
};

struct Libraries {
  std::vector<Library> all;  // of the program and of everything that it needs
  // What the loader complained about beside missing libraries, such as a missing symbol version.
  std::vector<std::string> complaints;
};

// The program must be a native, dynamically linked ELF file. An LD_PRELOAD of the caller's does
// not count.
[[nodiscard]] Libraries list_libraries(const std::string& program);

// Reads the loader's answer.
[[nodiscard]] Libraries parse_list(const std::string& output);

}  // namespace tightwire::cli
