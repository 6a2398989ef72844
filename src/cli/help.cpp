#include "cli/help.h"

#include <sstream>

#include "cli/launch/refuse.h"
#include "settings/settings.h"

namespace tightwire::cli {
namespace {

constexpr std::size_t indent = 8;

constexpr std::string_view introduction =
    R"(Runs an MPI program, unchanged, with its messages compressed.

Usage: mpirun -n 4 tightwire [OPTIONS] PROGRAM [ARGUMENTS...]
       tightwire COMMAND [ARGUMENTS...]

Examples:
  mpirun -n 4 tightwire ./app
        Every value arrives bit for bit as it was sent.
  mpirun -n 4 tightwire --error-bound 1e-4 ./app
        Floating-point values may err by 1e-4, and travel much smaller.
  mpirun -n 4 tightwire --error-bound rel:1e-3 --verbose python3 script.py
        By a thousandth of their range; tells at the end what was saved.
  tightwire doctor ./app
        Would it work with this program, and if not, why?
)";

constexpr std::string_view closing =
    R"(
A setting is looked for on the command line, then in the environment
(--error-bound is TIGHTWIRE_ERROR_BOUND), then in the file tightwire.toml of the
current folder (error-bound = 1e-4). Options end at the first word without
dashes, or at --, so a program may bear the name of a command.
)";

std::string setting_text(const settings::Description& setting) {
  const std::string value =
      setting.type == "Switch" ? "[=on|off]" : " " + placeholder(setting.type);
  std::string help = setting.help;
  if (!setting.default_value.empty()) help += " [default: " + setting.default_value + "]";
  return "  --" + setting.key + value + "\n" + wrapped(help, indent);
}

}  // namespace

std::string placeholder(const std::string& type) {
  if (type == "Bytes") return "SIZE";
  if (type == "ErrorBound") return "BOUND";
  if (type == "FilePath") return "FILE";
  if (type == "LinkSpeed") return "RATE";
  if (type == "Mode") return "MODE";
  if (type == "BoundedCodec" || type == "ExactCodec") return "CODEC";
  if (type == "Period") return "TIME";
  if (type == "CodingSpeedups") return "LIST";
  if (type == "Count" || type == "ZstdLevel" || type == "ZfpRate") return "NUMBER";
  return "WHAT";
}

std::string wrapped(std::string_view text, std::size_t indentation, std::size_t width) {
  std::istringstream words{std::string(text)};
  std::string result;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && indentation + line.size() + 1 + word.size() > width) {
      result += std::string(indentation, ' ') + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) result += std::string(indentation, ' ') + line + "\n";
  return result;
}

std::string help_text() {
  std::string text(introduction);
  text += "\nCommands:\n";
  for (const Command& command : commands()) {
    text += "  " + std::string(command.usage) + "\n" + wrapped(command.summary, indent);
  }
  std::string group;
  for (const settings::Description& setting : settings::descriptions()) {
    if (setting.for_tests) continue;
    if (setting.group != group) text += "\n" + setting.group + ":\n";
    group = setting.group;
    text += setting_text(setting);
  }
  text += "\nHow Tightwire starts:\n";
  for (const StartOption& option : start_options) {
    text += "  " + std::string(option.names) + (option.value.empty() ? "" : " ");
    text += std::string(option.value) + "\n" + wrapped(option.help, indent);
  }
  text += closing;
  return text;
}

std::string help_text(const Command& command) {
  return "Usage: tightwire " + std::string(command.usage) + "\n\n" + wrapped(command.summary, 0) +
         "\ntightwire --help explains the settings that can be given as options.\n";
}

int run_help(const Arguments& arguments) {
  const Command* command = arguments.empty() ? nullptr : find_command(arguments[0]);
  if (arguments.size() > 1 || (!arguments.empty() && command == nullptr)) {
    print_error("tightwire: help of which command? tightwire --help lists them");
    return usage;
  }
  return print_text(command == nullptr ? help_text() : help_text(*command));
}

}  // namespace tightwire::cli
