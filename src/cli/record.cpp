// tightwire record and tightwire audit: they run a program and write what it sends, or of what kind
// that is.
#include <algorithm>

#include "cli/commands.h"
#include "cli/run_program.h"

namespace tightwire::cli {

namespace {

// With the setting, which has this value unless the user gives another.
int run_with(const Arguments& arguments, const char* key, const char* value) {
  Options options = parse_options(arguments);
  const bool given = std::ranges::any_of(options.settings,
                                         [&](const auto& setting) { return setting.first == key; });
  if (!given) options.settings.emplace_back(key, value);
  return run_program(options);
}

}  // namespace

int run_record(const Arguments& arguments) {
  return run_with(arguments, "record", "tightwire-messages");
}

int run_audit(const Arguments& arguments) {
  return run_with(arguments, "audit", "tightwire-audit.json");
}

}  // namespace tightwire::cli
