// Any bytes as a file of settings: problems in words, or settings that can be written down and read
// again.
#include "settings/settings.h"

#include "memory_file.h"
#include "problems.h"

namespace {

using tightwire::fuzz::require;
using tightwire::settings::Loaded;

void check(const Loaded& loaded) {
  tightwire::fuzz::check(loaded.problems);
  tightwire::settings::Settings again;
  for (const auto& entry : loaded.entries) {
    require(!assign(again, entry.key, entry.value, "again"), "what is printed can be read");
  }
  require(again == loaded.settings, "what is printed is what was meant");
  for (const auto& rule : loaded.rules) {
    require(!rule.overrides.empty(), "a rule sets something");
    for (const auto& [key, value] : rule.overrides) {
      require(!assign(again, key, value, "again"), "what a rule sets can be set");
    }
    require(print(rule).find('\n') == std::string::npos, "a rule is one line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const tightwire::fuzz::MemoryFile file({data, size});
  tightwire::settings::Sources sources;
  sources.config_file = file.path();
  check(load(sources));
  return 0;
}
