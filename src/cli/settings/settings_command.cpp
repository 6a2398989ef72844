// tightwire settings: the settings in force, or the table of docs/user/settings.md.
#include <cstdio>

#include "cli/commands.h"
#include "cli/launch/launch.h"
#include "cli/launch/refuse.h"
#include "cli/settings/settings_text.h"

namespace tightwire::cli {

int run_settings(const Arguments& arguments) {
  if (arguments == Arguments{"--markdown"}) {
    std::fputs(settings_markdown().c_str(), stdout);
    return success;
  }
  const Options options = parse_options(arguments);
  if (!options.error.empty() || !options.program.empty()) {
    print_error("tightwire: " + (options.error.empty()
                                     ? "settings takes no program; leave out " + options.program[0]
                                     : options.error));
    return usage;
  }
  const settings::Loaded loaded = settings::load(sources_of(options));
  if (!loaded.problems.empty()) {
    print_error(describe_all(loaded.problems));
    return usage;
  }
  for (const std::string& note : loaded.notes) print_error("tightwire: " + note);
  std::fputs((settings_list(loaded.entries) + rules_list(loaded.rules)).c_str(), stdout);
  return success;
}

}  // namespace tightwire::cli
