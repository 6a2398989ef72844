// The doctor on messages that remember: whether they do, and how much memory that may take here.
#include "cli/doctor/checks.h"
#include "history/host_memory.h"
#include "settings/text.h"

namespace tightwire::cli {
namespace {

std::string text_of(std::size_t bytes) {
  return std::to_string(bytes >> 20) + " MiB";
}

std::string memory_text(const settings::Settings& settings) {
  const std::string name = "history-memory = " + settings::print(settings.history_memory);
  if (settings.history_memory.value != settings::Threshold::automatic) return name;
  return name + ": " + text_of(history::usual_memory(1)) +
         " a rank at most, and all ranks of this host together " +
         text_of(history::usual_memory_of_host());
}

}  // namespace

void check_history(const settings::Settings& settings, Findings& findings) {
  const bool off = settings.history == settings::History::off || settings.history_memory.value == 0;
  findings.push_back(
      {Verdict::note, "history",
       off ? "messages are not predicted from earlier ones (history = off, or no memory)"
           : "messages are predicted from earlier ones where that pays; kept for it: " +
                 memory_text(settings)});
}

}  // namespace tightwire::cli
