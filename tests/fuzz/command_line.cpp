// Any words as a command line.
#include "cli/options.h"
#include "input.h"
#include "words.h"

namespace {

using tightwire::cli::Arguments;
using tightwire::cli::Options;
using tightwire::fuzz::require;

bool ends_with(const Arguments& words, const Arguments& end) {
  return end.size() <= words.size() && std::equal(end.rbegin(), end.rend(), words.rbegin());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Arguments words = tightwire::fuzz::words_of(data, size);
  const Options options = tightwire::cli::parse_options(words);
  if (!options.error.empty()) return 0;
  require(ends_with(words, options.program), "the program and its arguments arrive as they are");
  tightwire::settings::Sources sources;
  sources.config_file = "/dev/null";
  sources.command_line = options.settings;
  (void)tightwire::settings::load(sources);
  return 0;
}
