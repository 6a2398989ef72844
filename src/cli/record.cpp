// tightwire record: runs a program and writes the messages that it sends.
#include <algorithm>

#include "cli/commands.h"
#include "cli/run_program.h"

namespace tightwire::cli {

int run_record(const Arguments& arguments) {
  Options options = parse_options(arguments);
  const bool given = std::ranges::any_of(
      options.settings, [](const auto& setting) { return setting.first == "record"; });
  if (!given) options.settings.emplace_back("record", "tightwire-messages");
  return run_program(options);
}

}  // namespace tightwire::cli
