// Any bytes as a file of settings: problems in words, or settings that can be written down and read
// again.
#include "settings/settings.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "input.h"

namespace {

using tightwire::fuzz::require;
using tightwire::settings::Loaded;

// A file that lies in memory.
class MemoryFile {
 public:
  explicit MemoryFile(std::span<const std::uint8_t> content)
      : descriptor_(::memfd_create("settings", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "a file in memory can be made");
    const auto written = ::write(descriptor_, content.data(), content.size());
    require(written == static_cast<ssize_t>(content.size()), "a file in memory can be written");
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void check(const Loaded& loaded) {
  for (const auto& problem : loaded.problems) {
    require(!problem.place.empty() && !problem.reason.empty() && !problem.advice.empty(),
            "a problem says where, what and what to do");
  }
  tightwire::settings::Settings again;
  for (const auto& entry : loaded.entries) {
    require(!assign(again, entry.key, entry.value, "again"), "what is printed can be read");
  }
  require(again == loaded.settings, "what is printed is what was meant");
  for (const auto& rule : loaded.rules) {
    require(!rule.wishes.empty(), "a rule sets something");
    for (const auto& [key, value] : rule.wishes) {
      require(!assign(again, key, value, "again"), "what a rule sets can be set");
    }
    require(print(rule).find('\n') == std::string::npos, "a rule is one line");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file({data, size});
  tightwire::settings::Sources sources;
  sources.config_file = file.path();
  check(load(sources));
  return 0;
}
