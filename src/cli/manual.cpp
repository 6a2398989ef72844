// tightwire manual: the manual page, in the language of man(7); made from settings.def and
// commands.def.

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/launch/refuse.h"

namespace tightwire::cli {
namespace {

// As text, whatever it begins with: dashes that can be copied, no control line, no escape.
std::string plain(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '-') result += '\\';
    if (letter == '\\') result += "\\e";
    if (letter != '\\') result += letter;
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string entry(const std::string& term, std::string_view text) {
  return ".TP\n\\fB" + plain(term) + "\\fR\n" + plain(text) + "\n";
}

std::string options() {
  std::string text;
  std::string group;
  for (const settings::Description& setting : settings::descriptions()) {
    if (setting.for_tests) continue;
    if (setting.group != group) text += ".SS " + plain(setting.group) + "\n";
    group = setting.group;
    const bool is_switch = setting.type == "Switch";
    std::string help = setting.help;
    if (!setting.default_value.empty()) help += " [default: " + setting.default_value + "]";
    text += entry("--" + setting.key + (is_switch ? "[=on|off]" : " " + placeholder(setting.type)),
                  help);
  }
  text += ".SS How Tightwire starts\n";
  for (const StartOption& option : start_options) {
    const std::string value(option.value);
    text += entry(std::string(option.names) + (value.empty() ? "" : " " + value), option.help);
  }
  return text;
}

constexpr std::string_view introduction =
    R"(.SH NAME
tightwire \- runs an MPI program, unchanged, with its messages compressed
.SH SYNOPSIS
mpirun \-n 4 \fBtightwire\fR [\fIOPTIONS\fR] \fIPROGRAM\fR [\fIARGUMENTS\fR...]
.br
\fBtightwire\fR \fICOMMAND\fR [\fIARGUMENTS\fR...]
.SH DESCRIPTION
Without \fB\-\-error\-bound\fR every value arrives bit for bit as it was sent. With it a received
floating\-point value may err by that much. What is not handled is passed to MPI as it is.
)";

constexpr std::string_view closing =
    R"(.SH ENVIRONMENT
Every option is also a variable: \fB\-\-error\-bound\fR is \fBTIGHTWIRE_ERROR_BOUND\fR. The command line
comes before it.
.SH FILES
.TP
\fBtightwire.toml\fR
of the current folder: error\-bound = 1e\-4. It comes last.
.SH EXIT STATUS
That of the program; 2 for bad options or settings, 126 where the program cannot be run, 127 where there
is none.
)";

}  // namespace

int run_manual(const Arguments&) {
  std::string text = ".TH TIGHTWIRE 1 \"\" \"tightwire " TIGHTWIRE_VERSION "\"\n";
  text += introduction;
  text += ".SH COMMANDS\n";
  for (const Command& command : commands()) {
    text += entry(std::string(command.usage), command.summary);
  }
  text += ".SH OPTIONS\n" + options();
  text += closing;
  return print_text(text);
}

}  // namespace tightwire::cli
