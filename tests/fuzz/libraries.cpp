// Any text as the dynamic loader's list of libraries.
#include "cli/launch/family.h"
#include "cli/program/loader.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tightwire;
  const std::string output(reinterpret_cast<const char*>(data), size);
  const cli::Libraries libraries = cli::parse_list(output);
  for (const cli::Library& library : libraries.all) {
    fuzz::require(library.name.find('\n') == std::string::npos, "a library is in one line");
    (void)cli::family_of_library(library.name);
  }
  for (const std::string& complaint : libraries.complaints) {
    fuzz::require(!complaint.empty(), "a complaint has words");
  }
  return 0;
}
