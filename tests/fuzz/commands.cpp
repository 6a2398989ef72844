// Any words as the name and the arguments of a command that writes no files and starts no programs.
#include "cli/commands.h"

#include <cstdio>

#include "cli/file/commands.h"
#include "input.h"
#include "words.h"

namespace {

using namespace tightwire;

// Files are for the other fuzzers: here it would depend on the machine which there are.
bool names_a_file(const cli::Arguments& arguments) {
  for (const std::string& word : arguments) {
    if (word.find('/') != std::string::npos || word.find("config") != std::string::npos)
      return true;
  }
  return false;
}

int run(unsigned command, const cli::Arguments& arguments) {
  switch (command % 3) {
    case 0:
      return cli::run_explain(arguments);
    case 1:
      return cli::run_inspect(arguments);
    default:
      return cli::run_settings(arguments);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const cli::Arguments arguments = fuzz::words_of(data + 1, size - 1);
  if (names_a_file(arguments)) return 0;
  const int code = run(data[0], arguments);
  fuzz::require(code >= 0 && code <= 2, "a command ends as its documentation says");
  return 0;
}
